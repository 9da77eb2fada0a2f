import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// The order of objects by what no key path says.
@Suite struct ObjectOrderTests {
    @Test func `objects are sorted by an expression, then by properties`() async throws {
        try await withVoyages { store, context in
            var descriptor = FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.city, order: .reverse)])
            descriptor.orderBy = [.reverse(.value(#Expression<Harbour, Int> { $0.voyages.count }))]
            #expect(try await context.fetch(descriptor).map(\.city) == ["Kyoto", "Paris"])
            #expect(
                store.lastSQL == """
                    SELECT t0.pk, t0.city, t0.country FROM harbour AS t0 \
                    ORDER BY (SELECT count(*) FROM voyage AS t1 WHERE t1.harbour = t0.pk) DESC, t0.city COLLATE C DESC, t0.pk
                    """)
            descriptor.orderBy = [.forward(.value(\.country))]
            #expect(try await context.fetch(descriptor).map(\.city) == ["Paris", "Kyoto"])
            let names = try await context.fetch(descriptor, selecting: \.city)
            #expect(names == ["Paris", "Kyoto"])
        }
    }

    @Test func `pages go by it too`() async throws {
        try await withVoyages { _, context in
            var descriptor = FetchDescriptor<Voyage>()
            descriptor.orderBy = [.reverse(.value(#Expression<Voyage, Int> { $0.rating * 2 }))]
            var (names, cursor): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try await context.fetchPage(descriptor, after: cursor, size: 2)
                names += page.objects.map(\.name)
                cursor = page.next
            } while cursor != nil
            #expect(names == ["temple", "louvre", "garden", "fjord", "nowhere"])
        }
    }

    @Test func `keys and aggregates are no order of objects, and groups have an order of their own`() async throws {
        try await withVoyages { store, context in
            var descriptor = FetchDescriptor<Voyage>()
            for order in [QueryOrder<Voyage>.forward(.count), .forward(.key(\.name))] {
                descriptor.orderBy = [order]
                let error = await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(descriptor) }
                #expect(error?.code == .unsupportedSortDescriptor)
                #expect(error?.description.contains("Sort objects by .value(…) or .rank(…)") == true)
            }
            descriptor.orderBy = [.forward(.value(\.name))]
            await #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
                _ = try await context.fetch(descriptor, selecting: .key(\.name), .count)
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
