import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import Testing

@Model private final class Harbour {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model private class Boat {
    #Index<Boat>([\.launched, \.length])
    var name: String
    var length: Int
    var launched: Date
    var price: Decimal?
    var weight: Double?
    var isSold: Bool
    var harbour: Harbour?

    init(_ number: Int, random: inout SeededGenerator, in harbours: [Harbour]) {
        name = ["Äpfel", "apfel", "Bär", "", "zebra", "\u{1F6A4}"].randomElement(using: &random)! + "\(number % 3)"
        length = Int.random(in: 0..<4, using: &random)
        launched = day(Int.random(in: 0..<5, using: &random))
        price = Bool.random(using: &random) ? nil : Decimal(Int.random(in: 0..<40, using: &random)) / 8
        weight = Int.random(in: 0..<4, using: &random) == 0 ? nil : Double.random(in: 0..<2, using: &random)
        isSold = Bool.random(using: &random)
        harbour = Bool.random(using: &random) ? nil : harbours.randomElement(using: &random)
    }
}

@Model private final class Ferry: Boat {
    var seats = 0
}

/// Has properties of names that a statement for pages might use.
@Model private final class Spot {
    var place: String
    var part = 0
    var rating: Int?
    init(_ place: String, rating: Int?) {
        self.place = place
        self.rating = rating
    }
}

@Suite struct CursorPageTests {
    private func withBoats(
        _ count: Int, seed: UInt64 = 1, _ body: (ModelStore, ModelContext) async throws -> Void
    ) async throws {
        try await withModelStore(Harbour.self, Boat.self, Ferry.self) { store in
            let context = ModelContext(store.container)
            var random = SeededGenerator(seed)
            let harbours = (0..<3).map { Harbour("h\($0)") }
            for harbour in harbours { context.insert(harbour) }
            for number in 0..<count {
                context.insert(
                    number % 4 == 0
                        ? Ferry(number, random: &random, in: harbours) : Boat(number, random: &random, in: harbours))
            }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private static let orders: [[SortDescriptor<Boat>]] = [
        [],
        [SortDescriptor(\.name)],
        [SortDescriptor(\.name, order: .reverse)],
        [SortDescriptor(\.name, comparator: .localizedStandard), SortDescriptor(\.length)],
        [SortDescriptor(\.launched), SortDescriptor(\.length)],
        [SortDescriptor(\.launched, order: .reverse), SortDescriptor(\.length)],
        [SortDescriptor(\.price), SortDescriptor(\.isSold, order: .reverse)],
        [SortDescriptor(\.price, order: .reverse), SortDescriptor(\.weight)],
        [SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.price, order: .reverse)],
        [SortDescriptor(\.harbour?.name), SortDescriptor(\.length, order: .reverse)],
        [SortDescriptor(\.persistentModelID, order: .reverse)],
    ]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `pages one after the other are the whole result, forward and back`(seed: UInt64) async throws {
        try await withBoats(60, seed: seed) { store, context in
            for (number, order) in Self.orders.enumerated() {
                let descriptor = FetchDescriptor<Boat>(predicate: #Predicate { $0.length > 0 }, sortBy: order)
                // A limit brings the order by key where no other was asked for.
                var limited = descriptor
                limited.fetchLimit = 1000
                let all = try await context.fetch(limited).map(\.persistentModelID)
                let size = Int(seed) * 3 + number
                var (forward, cursor): ([PersistentIdentifier], PageCursor?) = ([], nil)
                var pages = 0
                repeat {
                    store.recorder.reset()
                    let page = try await context.fetchPage(descriptor, after: cursor, size: size)
                    #expect(store.recorder.roundTrips == 1)
                    #expect((page.previous == nil) == (cursor == nil))
                    forward += page.objects.map(\.persistentModelID)
                    // As a client sends it back.
                    cursor = try page.next.map { try PageCursor($0.text) }
                    pages += 1
                } while cursor != nil && pages < 100
                #expect(forward == all, "\(order)")
                var backward: [PersistentIdentifier] = []
                pages = 0
                repeat {
                    let page = try context.fetchPageBlocking(descriptor, before: cursor, size: size)
                    backward.insert(contentsOf: page.objects.map(\.persistentModelID), at: 0)
                    cursor = page.previous
                    pages += 1
                } while cursor != nil && pages < 100
                #expect(backward == all, "\(order)")
            }
        }
    }

    @Test func `a cursor is read whatever settings it was written with`() async throws {
        try await withBoats(40) { _, context in
            let settings: [[SQLStatement]] = [
                [], ["SET LOCAL DateStyle = 'SQL, DMY'", "SET LOCAL extra_float_digits = -9"],
                ["SET LOCAL DateStyle = 'German'", "SET LOCAL TimeZone = 'Asia/Kolkata'"],
            ]
            for order in Self.orders {
                let descriptor = FetchDescriptor<Boat>(sortBy: order)
                var limited = descriptor
                limited.fetchLimit = 1000
                let all = try await context.fetch(limited).map(\.persistentModelID)
                var (found, cursor): ([PersistentIdentifier], PageCursor?) = ([], nil)
                var pages = 0
                repeat {
                    let page = try await context.transaction {
                        for setting in settings[pages % settings.count] { try await context.execute(setting) }
                        return try await context.fetchPage(descriptor, after: cursor, size: 3)
                    }
                    found += page.objects.map(\.persistentModelID)
                    cursor = page.next
                    pages += 1
                } while cursor != nil && pages < 100
                #expect(found == all, "\(order)")
            }
        }
    }

    @Test func `back from the second page is the first`() async throws {
        try await withBoats(20) { _, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.launched)])
            let first = try await context.fetchPage(descriptor, size: 7)
            let second = try await context.fetchPage(descriptor, after: first.next, size: 7)
            let again = try await context.fetchPage(descriptor, before: second.previous, size: 7)
            #expect(again.objects.map(\.persistentModelID) == first.objects.map(\.persistentModelID))
            #expect(again.previous == nil)
            #expect(again.next != nil)
            let none = try await context.fetchPage(
                FetchDescriptor<Boat>(predicate: #Predicate { $0.length > 100 }), size: 7)
            #expect(none.objects.isEmpty && none.next == nil && none.previous == nil)
        }
    }

    @Test func `an order that goes one way is one comparison of rows`() async throws {
        try await withBoats(20) { store, context in
            var descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.launched), SortDescriptor(\.length)])
            var page = try await context.fetchPage(descriptor, size: 5)
            store.recorder.reset()
            _ = try await context.fetchPage(descriptor, after: page.next, size: 5)
            var sql = try #require(store.recorder.statements.first)
            #expect(
                sql.hasSuffix(
                    """
                    WHERE (t0."launched", t0."length", t0."pk") > ($1::timestamptz, $2::bigint, \
                    $3::bigint) ORDER BY t0."launched" ASC, t0."length" ASC, t0."pk" ASC LIMIT 6
                    """), "\(sql)")
            descriptor.sortBy = [SortDescriptor(\.launched, order: .reverse), SortDescriptor(\.price)]
            page = try await context.fetchPage(descriptor, size: 5)
            store.recorder.reset()
            _ = try await context.fetchPage(descriptor, after: page.next, size: 5)
            sql = try #require(store.recorder.statements.first)
            #expect(sql.contains("WHERE t0.\"launched\" <= $1::timestamptz AND ("), "\(sql)")
        }
    }

    @Test func `objects without a value are a range of their own`() async throws {
        try await withBoats(40) { store, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.price, order: .reverse)])
            let first = try await context.fetchPage(descriptor, size: 3)
            var sql = try #require(store.recorder.statements.last)
            #expect(
                sql.contains(
                    """
                    , 0 AS "#part", row_number() OVER (ORDER BY t0."price" DESC, t0."pk" ASC) AS "#place" FROM
                    """), "\(sql)")
            #expect(
                sql.contains(
                    """
                     WHERE t0."price" IS NOT NULL ORDER BY t0."price" DESC, t0."pk" ASC LIMIT 4) UNION ALL (SELECT
                    """), "\(sql)")
            #expect(
                sql.hasSuffix(
                    """
                     WHERE t0."price" IS NULL ORDER BY t0."pk" ASC LIMIT 4)) AS p ORDER BY p."#part", p."#place" LIMIT 4
                    """), "\(sql)")
            _ = try await context.fetchPage(descriptor, after: first.next, size: 3)
            sql = try #require(store.recorder.statements.last)
            #expect(
                sql.contains(
                    """
                    WHERE t0."price" <= $1::numeric AND (t0."price" < $2::numeric OR \
                    (t0."price" = $3::numeric AND (t0."pk" > $4::bigint))) ORDER BY t0."price" DESC, t0."pk" ASC LIMIT 4
                    """), "\(sql)")
            // Behind the objects without a value there is one range only.
            let ascending = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.price)])
            let whole = try await context.fetchPage(ascending, size: 39)
            _ = try await context.fetchPage(ascending, after: whole.next, size: 3)
            sql = try #require(store.recorder.statements.last)
            #expect(
                sql.hasSuffix(
                    """
                    WHERE (t0."price", t0."pk") > ($1::numeric, $2::bigint) ORDER BY t0."price" ASC, t0."pk" ASC LIMIT 4
                    """), "\(sql)")
        }
    }

    @Test func `an index finds a page`() async throws {
        try await withBoats(60) { _, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.launched), SortDescriptor(\.length)])
            let cursor = try await context.fetchPage(descriptor, size: 20).next
            let plan = try await context.explain(descriptor, after: cursor, size: 5, avoidsSequentialScans: true)
            let scan = try #require(plan.nodes.first { $0.index?.contains("launched") == true }, "\(plan)")
            #expect(scan.conditions["Index Cond"]?.hasPrefix("(ROW(launched, ") == true, "\(plan)")
        }
    }

    @Test func `unsaved changes take part in a page`() async throws {
        try await withBoats(12) { _, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.name), SortDescriptor(\.length)])
            let boats = try await context.fetch(descriptor)
            context.delete(boats[2])
            boats[5].name = "0"
            var random = SeededGenerator(7)
            context.insert(Boat(1, random: &random, in: []))
            let all = try await context.fetch(descriptor).map(\.persistentModelID)
            var (paged, cursor): ([PersistentIdentifier], PageCursor?) = ([], nil)
            repeat {
                let page = try await context.fetchPage(descriptor, after: cursor, size: 4)
                paged += page.objects.map(\.persistentModelID)
                cursor = page.next
            } while cursor != nil
            #expect(paged == all)
        }
    }

    @Test func `a cursor is refused where it does not belong`() async throws {
        try await withBoats(12) { store, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.name)])
            let next = try #require(try await context.fetchPage(descriptor, size: 4).next)
            store.recorder.reset()
            for other in [
                FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.name, order: .reverse)]),
                FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.length)]), FetchDescriptor<Boat>(),
            ] {
                await #expect(throws: SwiftDataError.invalidPageCursor) {
                    _ = try await context.fetchPage(other, after: next, size: 4)
                }
            }
            var limited = descriptor
            limited.fetchLimit = 3
            for size in [0, -1, Int.max] {
                await #expect(throws: SwiftDataError.unsupportedFeature) {
                    _ = try await context.fetchPage(descriptor, size: size)
                }
            }
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                _ = try await context.fetchPage(limited, size: 4)
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `a property may have any name, also where a page is of two ranges`() async throws {
        try await withModelStore(Spot.self) { store in
            let context = ModelContext(store.container)
            for number in 0..<5 { context.insert(Spot("p\(number)", rating: number % 2 == 0 ? nil : number)) }
            try await context.save()
            let descriptor = FetchDescriptor<Spot>(sortBy: [SortDescriptor(\.rating), SortDescriptor(\.place)])
            let first = try await ModelContext(store.container).fetchPage(descriptor, size: 2)
            #expect(first.objects.map(\.place) == ["p0", "p2"])
            let second = try await context.fetchPage(descriptor, after: first.next, size: 3)
            #expect(second.objects.map(\.place) == ["p4", "p1", "p3"])
        }
    }

    @Test func `a page without objects leads back to what is before its cursor`() async throws {
        try await withBoats(12) { store, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.length, order: .reverse)])
            let all = try await context.fetch(descriptor).map(\.persistentModelID)
            let first = try await context.fetchPage(descriptor, size: 4)
            let behind = try #require(first.next)
            let last = try await context.fetchPage(descriptor, after: behind, size: 8)
            for object in last.objects { context.delete(object) }
            try await context.save()
            let empty = try await context.fetchPage(descriptor, after: behind, size: 4)
            #expect(empty.objects.isEmpty && empty.next == nil)
            #expect(empty.previous != nil)
            let back = try await context.fetchPage(descriptor, before: empty.previous, size: 4)
            #expect(back.objects.map(\.persistentModelID) == Array(all.prefix(4)))
            for object in first.objects.prefix(3) { context.delete(object) }
            try await context.save()
            let only = try await context.fetchPage(descriptor, size: 4)
            let start = PageCursor(
                order: behind.order, values: behind.values, key: try #require(only.objects.first).persistentModelID.key)
            let none = try await context.fetchPage(descriptor, before: start, size: 4)
            #expect(none.objects.isEmpty && none.previous == nil)
            #expect(none.next != nil)
            let again = try await context.fetchPage(descriptor, after: none.next, size: 4)
            #expect(again.objects.map(\.persistentModelID) == only.objects.map(\.persistentModelID))
        }
    }

    @Test func `a cursor with a text that is no value of its column is none`() async throws {
        try await withBoats(12) { store, context in
            let descriptor = FetchDescriptor<Boat>(sortBy: [SortDescriptor(\.launched), SortDescriptor(\.name)])
            let next = try #require(try await context.fetchPage(descriptor, size: 4).next)
            for values in [
                ["no day", "x"], ["300000-01-01 00:00+00", "x"], [next.values[0], "a\u{0}b"],
                ["2024-01-01 00:00:00+99", "x"], ["2024-01-01 00:00:00 Mars/Base", "x"],
            ] {
                let made = PageCursor(order: next.order, values: values, key: next.key)
                await #expect(throws: SwiftDataError.invalidPageCursor) {
                    _ = try await context.fetchPage(descriptor, after: try PageCursor(made.text), size: 4)
                }
                #expect(throws: SwiftDataError.invalidPageCursor) {
                    try context.fetchPage(descriptor, before: made, size: 4)
                }
            }
        }
    }

    @Test func `a cursor survives text and JSON, and nothing else is one`() throws {
        let cursors = [
            PageCursor(order: 1, values: [], key: 1), PageCursor(order: .max, values: [nil, "", "ä\u{0}b"], key: -5),
            PageCursor(order: 7, values: ["a", nil, "bc", "def", "ghij"], key: RowKey(.max)),
        ]
        var random = SeededGenerator(3)
        for cursor in cursors {
            let read = try PageCursor(cursor.text)
            #expect(read == cursor)
            let encoded = try JSONEncoder().encode([cursor])
            let decoded = try JSONDecoder().decode([PageCursor].self, from: encoded)
            #expect(decoded == [cursor])
            #expect(cursor.text.contains(/^[A-Za-z0-9_-]+$/))
            var bytes = Array(cursor.text.utf8)
            for place in bytes.indices {
                let byte = bytes[place]
                bytes[place] = "AQgw09-_".utf8.filter { $0 != byte }.randomElement(using: &random)!
                let changed = String(decoding: bytes, as: UTF8.self)
                // The last digit of a text may hold bits that no byte has.
                if (try? PageCursor(changed)) != cursor {
                    #expect(throws: SwiftDataError.invalidPageCursor) { try PageCursor(changed) }
                }
                bytes[place] = byte
            }
            for length in 0..<cursor.text.count {
                #expect(throws: SwiftDataError.invalidPageCursor) { try PageCursor(String(cursor.text.prefix(length))) }
            }
        }
        #expect(throws: SwiftDataError.invalidPageCursor) { try PageCursor("') OR true --") }
    }
}

extension ModelContext {
    /// The blocking form, for callers that could await.
    fileprivate func fetchPageBlocking<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int
    ) throws -> CursorPage<T> { try fetchPage(descriptor, before: cursor, size: size) }
}
