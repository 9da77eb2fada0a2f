import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// Pages that begin after the last row of the page before: what an index can serve stands apart in the condition.
@Suite struct PredicateKeysetTests {
    private let rating = 5
    private let name = "m"
    private let number: Int16 = 3

    @Test func `The first column bounds the page`() {
        let (rating, name) = (rating, name)
        expectSQL(
            #Predicate<Journey> { $0.rating > rating || ($0.rating == rating && $0.name > name) },
            """
            FROM journey AS t0 WHERE t0.rating >= $1::bigint AND (t0.rating > $2::bigint OR
            (t0.rating = $3::bigint AND t0.name COLLATE C > $4::text))
            """)
        expectSQL(
            #Predicate<Journey> { $0.name < name || ($0.name == name && $0.rating > rating) },
            """
            FROM journey AS t0 WHERE t0.name COLLATE C <= $1::text AND (t0.name COLLATE C < $2::text OR
            (t0.name = $3::text AND t0.rating > $4::bigint))
            """)
    }

    @Test func `Three columns, in mixed directions and within other conditions`() {
        let (rating, name, number) = (rating, name, number)
        expectSQL(
            #Predicate<Journey> {
                $0.rating < rating || ($0.rating == rating && $0.name > name)
                    || ($0.rating == rating && $0.name == name && $0.small < number)
            },
            """
            FROM journey AS t0 WHERE t0.rating <= $1::bigint AND (t0.rating < $2::bigint OR
            (t0.rating = $3::bigint AND t0.name COLLATE C > $4::text) OR
            (t0.rating = $5::bigint AND t0.name = $6::text AND t0.small < $7::smallint))
            """)
        expectSQL(
            #Predicate<Journey> { $0.isOpen && (rating < $0.rating || ($0.name > name && rating == $0.rating)) },
            """
            FROM journey AS t0 WHERE t0.is_open AND t0.rating >= $1::bigint AND (t0.rating > $2::bigint OR
            (t0.name COLLATE C > $3::text AND t0.rating = $4::bigint))
            """)
        expectSQL(
            #Predicate<Journey> {
                $0.rating > rating
                    || ($0.rating == rating && ($0.small > number || ($0.small == number && $0.name > name)))
            },
            """
            FROM journey AS t0 WHERE t0.rating >= $1::bigint AND (t0.rating > $2::bigint OR
            (t0.rating = $3::bigint AND t0.small >= $4::smallint AND (t0.small > $5::smallint OR
            (t0.small = $6::smallint AND t0.name COLLATE C > $7::text))))
            """)
    }

    @Test func `Other disjunctions stay as they are`() {
        let (rating, other) = (rating, 9)
        expectSQL(
            #Predicate<Journey> { $0.rating > rating || $0.rating == other },
            "FROM journey AS t0 WHERE t0.rating > $1::bigint OR t0.rating = $2::bigint")
        expectSQL(
            #Predicate<Journey> { $0.rating > rating || $0.isOpen },
            "FROM journey AS t0 WHERE t0.rating > $1::bigint OR t0.is_open")
        expectSQL(
            #Predicate<Journey> { !($0.rating > rating || ($0.rating == rating && $0.isOpen)) },
            """
            FROM journey AS t0 WHERE NOT (t0.rating > $1::bigint OR (t0.rating = $2::bigint AND t0.is_open))
            """)
    }

    @Test func `The server reads a page from the index, and the rows are those that memory finds`() async throws {
        try await withTestDatabase("keyset") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let mapping = PredicateModels.mapping
            var tables = PostgresBatch()
            for statement in TableCreation.all(mapping) { tables.add(try statement.statement()) }
            try await connection.run(tables)
            try await connection.execute(
                """
                INSERT INTO guest (pk, name, age) SELECT n, 'n' || lpad((n % 97)::text, 2, '0'), n / 10
                FROM generate_series(1, 20000) AS n
                """)
            try await connection.execute(#"CREATE INDEX ON guest (age, name COLLATE "C" DESC, pk)"#)
            try await connection.execute("ANALYZE guest")
            let (age, name) = (500, "n50")
            let predicate = #Predicate<Guest> { $0.age > age || ($0.age == age && $0.name < name) }
            let plan = try FetchPlan(
                FetchDescriptor<Guest>(
                    predicate: predicate,
                    sortBy: [SortDescriptor(\.age), SortDescriptor(\.name, order: .reverse)], limit: 20),
                mapping: mapping, store: "test", reading: .keys)
            let statement = try plan.identifiers()
            var lines: [String] = []
            try await connection.run(
                PostgresBatch(
                    PostgresStatement("EXPLAIN (COSTS OFF) " + statement.sql.text, parameters: statement.parameters)
                ) { lines.append($0.string(0)) })
            let explained = lines.joined(separator: "\n")
            #expect(explained.contains("Index Cond: (age >= '500'::bigint)"), "\(explained)")
            #expect(!explained.contains("Sort"), "\(explained)")
            #expect(!explained.contains("Seq Scan"), "\(explained)")
            var found: [Int64] = []
            try await connection.run(PostgresBatch(statement) { found.append($0.int64(0)) })
            let guests = (1...20000).map { Guest(name: "n" + String(format: "%02d", $0 % 97), age: $0 / 10) }
            let expected = try guests.indices.filter { try predicate.evaluate(guests[$0]) }
                .sorted { (guests[$0].age, guests[$1].name) < (guests[$1].age, guests[$0].name) }
                .prefix(20).map { Int64($0 + 1) }
            #expect(found == expected)
        }
    }
}

@Model private final class Entry {
    var day: Int
    var title: String
    var number: Int16
    init(day: Int, title: String, number: Int16) {
        self.day = day
        self.title = title
        self.number = number
    }
}

/// Pages by three columns, each upwards or downwards: the index bounds what is read, and gives the order.
@Suite struct PredicateKeysetIndexTests {
    /// What the page begins behind.
    private enum Place {
        static let (day, title, number) = (500, "t3", Int16(4))
    }

    private static let upwards: Predicate<Entry> = {
        let (day, title, number) = (Place.day, Place.title, Place.number)
        return #Predicate<Entry> {
            $0.day > day || ($0.day == day && $0.title > title)
                || ($0.day == day && $0.title == title && $0.number > number)
        }
    }()

    private static let mixed: Predicate<Entry> = {
        let (day, title, number) = (Place.day, Place.title, Place.number)
        return #Predicate<Entry> {
            $0.day < day || ($0.day == day && ($0.title > title || ($0.title == title && $0.number < number)))
        }
    }()

    /// Each row by its order, upwards or downwards in each column.
    private static func isBefore(_ lhs: Entry, _ rhs: Entry, _ isMixed: Bool) -> Bool {
        if lhs.day != rhs.day { return (lhs.day < rhs.day) != isMixed }
        if lhs.title != rhs.title { return lhs.title < rhs.title }
        return (lhs.number < rhs.number) != isMixed
    }

    @Test(arguments: [false, true])
    func `Three columns in one direction, and in mixed ones`(isMixed: Bool) async throws {
        try await withTestDatabase("keyset") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let mapping = StoreMapping(Schema([Entry.self]))
            var tables = PostgresBatch()
            for statement in TableCreation.all(mapping) { tables.add(try statement.statement()) }
            try await connection.run(tables)
            // 20 rows a day: 4 titles, 5 numbers.
            try await connection.execute(
                """
                INSERT INTO entry (pk, day, title, number) SELECT n, n / 20, 't' || n % 4, n % 5
                FROM generate_series(0, 19999) AS n
                """)
            let columns =
                isMixed ? #"day DESC, title COLLATE "C", number DESC, pk"# : #"day, title COLLATE "C", number, pk"#
            try await connection.execute("CREATE INDEX ON entry (\(columns))")
            try await connection.execute("ANALYZE entry")
            let predicate = isMixed ? Self.mixed : Self.upwards
            let order: SortOrder = isMixed ? .reverse : .forward
            let plan = try FetchPlan(
                FetchDescriptor<Entry>(
                    predicate: predicate,
                    sortBy: [
                        SortDescriptor(\.day, order: order), SortDescriptor(\.title),
                        SortDescriptor(\.number, order: order),
                    ], limit: 30), mapping: mapping, store: "test", reading: .keys)
            let statement = try plan.identifiers()
            var lines: [String] = []
            try await connection.run(
                PostgresBatch(
                    PostgresStatement(
                        "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + statement.sql.text,
                        parameters: statement.parameters)
                ) { lines.append($0.string(0)) })
            let explained = lines.joined(separator: "\n")
            #expect(explained.contains("Index Cond: (day \(isMixed ? "<=" : ">=") '500'::bigint)"), "\(explained)")
            #expect(!explained.contains("Sort") && !explained.contains("Seq Scan"), "\(explained)")
            // No more than the rows of the day on which the page before ended.
            let removed = explained.firstMatch(of: /Rows Removed by Filter: (\d+)/).flatMap { Int($0.1) } ?? 0
            #expect(removed <= 20, "\(explained)")
            var found: [Int64] = []
            try await connection.run(PostgresBatch(statement) { found.append($0.int64(0)) })
            let entries = (0..<20_000).map { Entry(day: $0 / 20, title: "t\($0 % 4)", number: Int16($0 % 5)) }
            let expected = try entries.indices.filter { try predicate.evaluate(entries[$0]) }
                .sorted { Self.isBefore(entries[$0], entries[$1], isMixed) }.prefix(30).map { Int64($0) }
            #expect(found == expected)
        }
    }
}

extension FetchDescriptor {
    fileprivate init(predicate: Predicate<T>, sortBy: [SortDescriptor<T>], limit: Int) {
        self.init(predicate: predicate, sortBy: sortBy)
        fetchLimit = limit
    }
}
