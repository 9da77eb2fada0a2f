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

    /// An index has columns of one table; what is computed of two has none.
    @Test func `what finds a page is of one table`() async throws {
        try await withVoyages { store, context in
            let byCity = FetchDescriptor<Voyage>(
                sortBy: [SortDescriptor(\.harbour?.city), SortDescriptor(\.rating)])
            let first = try await context.fetchPage(byCity, selecting: \.name, size: 3)
            let second = try await context.fetchPage(byCity, selecting: \.name, after: first.next, size: 3)
            #expect(first.rows + second.rows == ["nowhere", "fjord", "garden", "temple", "louvre"])
            #expect(
                store.lastSQL.contains(
                    """
                    WHERE t1.city COLLATE C >= $1::text AND (t1.city COLLATE C, t0.rating, t0.pk) > ($2::text, $3::bigint, $4::bigint) ORDER BY
                    """), "\(store.lastSQL)")
            var computed = FetchDescriptor<Voyage>()
            computed.orderBy = [.forward(.value(#Expression<Voyage, String> { $0.harbour?.city ?? $0.name }))]
            let cities = try await context.fetchPage(computed, selecting: \.name, size: 3)
            let others = try await context.fetchPage(computed, selecting: \.name, after: cities.next, size: 3)
            #expect(cities.rows + others.rows == ["garden", "temple", "louvre", "fjord", "nowhere"])
            #expect(
                store.lastSQL.contains("WHERE (COALESCE(t1.city, t0.name) COLLATE C, t0.pk) > ($1::text"),
                "\(store.lastSQL)")
        }
    }

    /// Both are data exceptions: the server says of the cursor's where the text stood.
    @Test func `what an expression cannot compute is no error of the cursor`() async throws {
        try await withVoyages { _, context in
            let byRating = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.rating, order: .reverse)])
            let quotient = #Expression<Voyage, Int> { 10 / ($0.rating - 1) }
            // The server computes before it sorts, so the first page of quotients would be the same error.
            let first = try await context.fetchPage(byRating, selecting: \.name, size: 3)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchPage(byRating, selecting: .value(quotient), after: first.next, size: 3)
            }
            #expect(error?.code == .storeFailure && error?.sqlState == "22012", "\(error?.description ?? "")")
            let big = #Predicate<Voyage> { 10 / ($0.rating - 1) > 0 }
            let objects = FetchDescriptor<Voyage>(predicate: big, sortBy: byRating.sortBy)
            let ofObjects = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchPage(objects, after: first.next, size: 3)
            }
            #expect(ofObjects?.sqlState == "22012", "\(ofObjects?.description ?? "")")
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
