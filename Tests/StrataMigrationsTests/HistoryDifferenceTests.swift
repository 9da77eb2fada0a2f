import Foundation
import StrataMigrations
import StrataRepository
import StrataTestSupport
import Testing

/// What a migration file says of a change, and what the database makes of it.
@Suite("Differences of the history's descriptions") struct HistoryDifferenceTests {
    private typealias Entity = HistoryDescription.Entity
    private typealias Property = HistoryDescription.Property

    private static let before = HistoryDescription(
        entities: [
            Entity(
                name: "Trip", table: "trip", class: "strata_class", classes: ["Trip"],
                properties: [
                    Property(name: "code", column: "code", preserved: true), Property(name: "name", column: "name"),
                    Property(name: "tags"),
                ]),
            Entity(
                name: "Cruise", parent: "Trip", table: "cruise", classes: ["Cruise"],
                properties: [Property(name: "ship", column: "ship")]),
        ], links: [.init(table: "trip_tags", sides: [.init(column: "trip", entity: "Trip", property: "tags")])])

    @Test func `a difference names what differs`() {
        let after = HistoryDescription(
            entities: [
                Entity(
                    name: "Trip", table: "trip", classes: ["Trip"],
                    properties: [
                        Property(name: "code", column: "code"),
                        Property(name: "title", was: ["name"], column: "title"),
                        Property(name: "photo", column: "photo", external: true),
                    ])
            ], links: [])
        #expect(
            HistoryDifference(from: Self.before, to: after).readableJSON == """
                {
                  "entities": {
                    "Cruise": null,
                    "Trip": {
                      "class": null,
                      "properties": {
                        "code": "code", "name": null, "photo": {"column": "photo", "external": true}, "tags": null,
                        "title": {"column": "title", "was": ["name"]}}}},
                  "links": {"trip_tags": null}}
                """)
        #expect(HistoryDifference(from: after, to: after).isEmpty)
    }

    @Test func `a column is one line, and its statement a second`() {
        var trip = Self.before.entities[1]
        trip.properties.append(Property(name: "rating", column: "rating"))
        let after = HistoryDescription(entities: [Self.before.entities[0], trip], links: Self.before.links)
        let change = HistoryDifference(from: Self.before, to: after)
        #expect(
            HistoryCall.expect(change).statement(in: "public") == """
                SELECT "strata"."history_expect"('public', '{"entities": {"Trip": {"properties": {"rating": "rating"}}}}')
                """)
        #expect(HistoryCall.expect(nil).statement(in: "o'k") == #"SELECT "strata"."history_expect"('o''k')"#)
        #expect(
            HistoryCall.follow(change, next: change).statement(in: "public").hasPrefix(
                #"SELECT "strata"."history_follow"('public', '{"entities""#))
    }

    /// Both ways of saying it agree: the description as a whole, and what the database has with the change.
    @Test(arguments: 1...8) func `the database applies what the planner finds`(_ seed: Int) async throws {
        try await withTestDatabase { database in
            for sql in LibraryInstallation.statements { try await database.execute(sql) }
            var numbers = SeededGenerator(seed: UInt64(seed))
            for _ in 1...25 {
                let (old, new) = (Self.random(&numbers), Self.random(&numbers))
                let change = HistoryDifference(from: old.withoutFormerNames, to: new).readableJSON
                let found = try await changed(old, change, database)
                #expect(found == new.withoutFormerNames, "\(change)")
                #expect(try await changed(found, change, database) == new.withoutFormerNames, "\(change)")
            }
        }
    }

    /// To Swift, a quote with an accent is one character, which is no quote.
    @Test(arguments: ["'", "\\", "\""]) func `marks with accents stay inside of what they are quoted in`(
        _ mark: String
    ) async throws {
        let text = "a\(mark)\u{301} b\(mark)\(mark)\u{301}\u{200D}"
        try await withTestDatabase { database in
            let sql = """
                SELECT \(SQLFragment.literal(text)) UNION ALL
                SELECT attname FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0
                """
            try await database.execute("CREATE TABLE t (\(SQLFragment.quoted(text)) int)")
            #expect(try await database.texts(sql).map { Array($0.utf8) } == [Array(text.utf8), Array(text.utf8)])
        }
    }

    @Test func `a class that is not recorded cannot change`() async throws {
        try await withTestDatabase { database in
            for sql in LibraryInstallation.statements { try await database.execute(sql) }
            let change = #"'{"entities": {"Trip": {"properties": {"rating": "rating"}}}}'"#
            await #expect {
                try await database.execute("SELECT strata.history_expect('public', \(change))")
            } throws: { error in
                "\(error)".contains("the history does not record Trip, which this statement changes")
            }
        }
    }

    private func changed(
        _ description: HistoryDescription, _ change: String, _ database: TestDatabase
    ) async throws -> HistoryDescription {
        let arguments = [description.json, change].map { SQLFragment.literal($0) }.joined(separator: ", ")
        let texts = try await database.texts("SELECT strata.history_changed(\(arguments))::text")
        return try HistoryDescription(json: try #require(texts.first)).withoutFormerNames
    }

    private static func random(_ numbers: inout SeededGenerator) -> HistoryDescription {
        func some<Value>(_ values: [Value]) -> [Value] { values.filter { _ in Bool.random(using: &numbers) } }
        let names = some(["A", "B", "Ä", "a b", "C\"'"])
        let entities = names.map { name in
            Entity(
                name: name, was: some(["X", "Y"]), parent: some(names.filter { $0 < name }).first,
                table: some(["t", "u"]).first ?? "v", class: some(["strata_class"]).first,
                classes: [name] + some(["Z"]),
                properties: some(["p", "q", "r", "é", "p q"]).map { property in
                    Property(
                        name: property, was: some(["o"]), column: some(["c", "d"]).first,
                        external: Bool.random(using: &numbers), preserved: Bool.random(using: &numbers))
                })
        }
        let links = some(["l", "m"]).map { table in
            HistoryDescription.Link(
                table: table,
                sides: names.isEmpty ? [] : [.init(column: some(["x"]).first ?? "y", entity: names[0], property: "p")])
        }
        return HistoryDescription(entities: entities, links: links)
    }
}
