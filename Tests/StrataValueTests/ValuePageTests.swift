import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Suite struct ValuePageTests {
    @Test func `a page of values is cut as one of objects`() async throws {
        try await withVoyages { store, context in
            let byCity = FetchDescriptor<Voyage>(
                sortBy: [SortDescriptor(\.harbour?.city, order: .reverse), SortDescriptor(\.rating)])
            let first = try await context.fetchPage(byCity, selecting: \.name, \.rating, size: 2)
            #expect(store.recorder.roundTrips == 1)
            #expect(first.rows.map(\.0) == ["louvre", "garden"] && first.rows.map(\.1) == [4, 3])
            #expect(first.previous == nil)
            let cursor = try #require(first.next)
            // As a client sends it back: it leads to the same place among objects.
            let objects = try await context.fetchPage(byCity, after: try PageCursor(cursor.text), size: 2)
            let second = try await context.fetchPage(byCity, selecting: \.name, \.rating, after: cursor, size: 2)
            #expect(second.rows.map(\.0) == objects.objects.map(\.name))
            #expect(second.next == objects.next && second.previous == objects.previous)
            let double = #Expression<Voyage, Int> { $0.rating * 2 }
            let cards = try await context.fetchPage(
                byCity, selecting: .value(\.name), .value(double), after: objects.next, size: 2)
            #expect(cards.rows.map(\.0) == ["fjord"] && cards.rows.map(\.1) == [4] && cards.next == nil)
            let back = try await context.fetchPage(
                byCity, selecting: \.name, \.rating, before: second.previous, size: 2)
            #expect(back.rows.map(\.0) == first.rows.map(\.0))
            #expect(back.previous == nil && back.next != nil)
            let last = try { try context.fetchPage(byCity, selecting: .value(\.name), before: nil, size: 2) }()
            #expect(last.rows == ["nowhere", "fjord"] && last.next == nil && last.previous != nil)
            let blocking = try { try context.fetchPage(byCity, selecting: \.name, after: cursor, size: 2) }()
            #expect(blocking.rows == second.rows.map(\.0))
            let byRating = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.rating)])
            let page = try await context.fetchPage(byRating, selecting: \.name, size: 2)
            _ = try await context.fetchPage(byRating, selecting: \.name, before: page.next, size: 2)
            #expect(
                store.lastSQL == """
                    SELECT t0.pk, t0.name, (t0.rating)::text FROM voyage AS t0 \
                    WHERE (t0.rating, t0.pk) < ($1::bigint, $2::bigint) ORDER BY t0.rating DESC, t0.pk DESC LIMIT 3
                    """)
        }
    }

    @Test func `unsaved changes take part, and a limit of rows is one of the page`() async throws {
        try await withVoyages { store, context in
            context.insert(Voyage("new", rating: 9))
            let byRating = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.rating, order: .reverse)])
            let first = try await context.fetchPage(byRating, selecting: \.name, size: 2)
            #expect(first.rows == ["new", "temple"])
            context.rowLimit = 2
            let second = try await context.fetchPage(byRating, selecting: \.name, after: first.next, size: 2)
            #expect(second.rows == ["louvre", "garden"])
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchPage(byRating, selecting: \.name, size: 4)
            }
            #expect(error?.code == .rowLimitExceeded)
            // A stream is as long as it is.
            var names: [String] = []
            for try await name in context.stream(byRating, selecting: \.name, pageSize: 4) { names.append(name) }
            #expect(names.count == 6)
        }
    }

    @Test func `what is no place and no row is refused`() async throws {
        try await withVoyages { store, context in
            let byStart = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.start)])
            let next = try #require(try await context.fetchPage(byStart, selecting: \.name, size: 2).next)
            let made = PageCursor(order: next.order, values: ["no day"], key: next.key)
            await #expect(throws: SwiftDataError.invalidPageCursor) {
                _ = try await context.fetchPage(byStart, selecting: \.name, after: made, size: 2)
            }
            store.recorder.reset()
            await #expect(throws: SwiftDataError.invalidPageCursor) {
                _ = try await context.fetchPage(FetchDescriptor<Voyage>(), selecting: \.name, after: next, size: 2)
            }
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                _ = try await context.fetchPage(byStart, selecting: .key(\.rating), .count, size: 2)
            }
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                _ = try await context.fetchPage(byStart, selecting: \.name, size: 0)
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
