import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Suite struct ValueStreamTests {
    @Test func `rows come in order, a page at a time`() async throws {
        try await withVoyages { store, context in
            let byRating = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.rating)])
            var rows: [(String, Int)] = []
            for try await row in context.stream(byRating, selecting: \.name, \.rating, pageSize: 2) {
                rows.append(row)
                #expect(store.recorder.roundTrips == (rows.count + 1) / 2)
            }
            #expect(rows.map(\.0) == ["nowhere", "fjord", "garden", "louvre", "temple"])
            #expect(rows.map(\.1) == [1, 2, 3, 4, 5])
            #expect(
                store.lastSQL == """
                    SELECT t0.pk, t0.name, t0.rating, (t0.rating)::text FROM voyage AS t0 \
                    WHERE (t0.rating, t0.pk) > ($1::bigint, $2::bigint) ORDER BY t0.rating ASC, t0.pk ASC LIMIT 3
                    """)
        }
    }

    @Test func `expressions, paths and identifiers stream too, with unsaved changes`() async throws {
        try await withVoyages { _, context in
            context.insert(Voyage("new", rating: 9))
            let big = #Expression<Voyage, Bool> { $0.rating > 3 }
            let byRating = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.rating, order: .reverse)])
            var rows: [(String?, Bool)] = []
            for try await row in context.stream(
                byRating, selecting: .value(\Voyage.harbour?.city), .value(big), pageSize: 3)
            {
                rows.append(row)
            }
            #expect(rows.map(\.0) == [nil, "Kyoto", "Paris", "Kyoto", nil, nil])
            #expect(rows.map(\.1) == [true, true, true, false, false, false])
        }
    }

    @Test func `groups do not stream, and a limit is refused`() async throws {
        try await withVoyages { store, context in
            let groups = context.stream(FetchDescriptor<Voyage>(), selecting: .key(\.rating), .count)
            await #expect(throws: SwiftDataError.unsupportedFeature) { for try await _ in groups {} }
            var limited = FetchDescriptor<Voyage>()
            limited.fetchLimit = 1
            let stream = context.stream(limited, selecting: \.name)
            await #expect(throws: SwiftDataError.unsupportedFeature) { for try await _ in stream {} }
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
