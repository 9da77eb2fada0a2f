import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// What a migration does to the history: numbers stay, nothing is lost, and what was not recorded is said to be so.
@Suite("Evolution: history") struct HistoryEvolutionTests {
    typealias Trips = HierarchyEvolutionTests

    enum One {
        @Model class Trip {
            var name: String
            var notes: String?
            var count = 0
            init(name: String) { self.name = name }
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
        }
        @Model class Place {
            var city = ""
            init() {}
        }
    }

    enum Two {
        @Model class Journey {
            @Attribute(originalName: "name") var title: String
            var count = 0
            var perdiem: Double?
            var extra: String?
            init(title: String) { self.title = title }
        }
        @Model class BusinessTrip: Journey {}
        @Model class Place {
            var city = ""
            init() {}
        }
    }

    static func evolution() throws -> Evolution {
        try Evolution(
            [One.Trip.self, One.BusinessTrip.self, One.Place.self],
            [Two.Journey.self, Two.BusinessTrip.self, Two.Place.self],
            changes: [
                .renamed(One.Trip.self, to: Two.Journey.self), .dropped(\One.Trip.notes),
            ])
    }

    static let seed = [
        "INSERT INTO trip (pk, class, name, notes, count) VALUES (1, 'Trip', 'a', 'n', 1), (2, 'BusinessTrip', 'b', 'n', 1)",
        "INSERT INTO business_trip (pk, perdiem) VALUES (2, 12.5)", "INSERT INTO place (pk, city) VALUES (3, 'c')",
        "UPDATE trip SET name = 'c', notes = NULL WHERE pk = 1", "UPDATE business_trip SET perdiem = 13 WHERE pk = 2",
    ]

    /// `author op entity key properties`, in their order; properties by the names that they have now.
    private static let changes = """
        SELECT concat_ws(' ', coalesce(t."author", '-'), c."op", e."name", c."pk", (
            SELECT string_agg(p."name", ',' ORDER BY p."bit") FROM strata.history_property AS p
            WHERE p."root" = e."root" AND p."bit" / 63 = e."word" AND c."props" & (1::bigint << (p."bit" % 63)) <> 0))
        FROM strata.history_change AS c JOIN strata.history_entity AS e ON e."id" = c."entity"
        JOIN strata.history_transaction AS t USING ("xid", "generation") ORDER BY c."seq"
        """

    @Test func `Renames keep numbers, moved values keep their bit, dropped ones' is not used again`() async throws {
        let evolution = try Self.evolution()
        try await evolution.withDatabase("history", seed: Self.seed) { database, runner, scripts in
            let before = try await database.texts(Self.changes)
            #expect(
                before == [
                    "- I Trip 1", "- I BusinessTrip 2", "- i BusinessTrip 2", "- I Place 3", "- U Trip 1 name,notes",
                    "- u BusinessTrip 2 perdiem",
                ])
            try await blocking { try runner.apply(scripts) }
            try await evolution.expectCatalog(evolution.after, on: database, "after")
            try await database.execute("UPDATE journey SET title = 'd', perdiem = 14, extra = 'x' WHERE pk = 2")
            let after = try await database.texts(Self.changes)
            #expect(
                Array(after.prefix(6)) == [
                    "- I Journey 1", "- I BusinessTrip 2", "- i BusinessTrip 2", "- I Place 3",
                    "- U Journey 1 title,notes",
                    "- u BusinessTrip 2 perdiem",
                ], "the old changes by the new names")
            #expect(after.last == "- U BusinessTrip 2 perdiem,title,extra" || after.last?.contains("title") == true)
            #expect(
                after.last.map { Set($0.split(separator: " ").last?.split(separator: ",").map(String.init) ?? []) }
                    == ["title", "perdiem", "extra"])
            // Moving values was not recorded row by row, and the class was: but not one that was not touched.
            let resets = after.dropFirst(6).dropLast().map { $0 }
            #expect(resets.allSatisfy { $0.hasPrefix("migration 1.0.0 -> 2.0.0 R ") }, "\(resets)")
            #expect(resets.contains { $0.hasSuffix("Journey") })
            #expect(!resets.contains { $0.hasSuffix("Place") })
            let bits = try await database.texts(
                "SELECT count(*)::text || ' ' || count(DISTINCT bit)::text FROM strata.history_property AS p JOIN strata.history_entity AS e ON e.id = p.root WHERE e.name = 'Journey'"
            )
            let numbers = bits.first?.split(separator: " ") ?? []
            #expect(numbers.first == numbers.last)
            let retired = try await database.texts("SELECT name FROM strata.history_property WHERE retired ORDER BY 1")
            #expect(retired == ["notes"])
        }
    }

    @Test func `Every step leaves triggers that fit, and locks no more than it says`() async throws {
        try await Self.evolution().run(
            seed: Self.seed, returning: .none(because: "dropped values cannot come back: Trip.notes"))
    }

    @Test func `Psql says who it is as well`() async throws {
        let scripts = try Self.evolution().scripts()
        let from = try #require(scripts[1].from)
        let call = """
            "strata"."migration_begin"(\(LibraryInstallation.version), 'public', '0002_v1_v2', '1.0.0', '\(from.fingerprint)', '2.0.0')
            """
        #expect(try MigrationFile(scripts[1]).upText.contains("SELECT \(call);"))
        try await withTestDatabase { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([scripts[0]]) }
            let author = try await database.texts("SELECT current_setting('strata.author') FROM \(call)")
            #expect(author == ["migration 1.0.0 -> 2.0.0"])
        }
    }

    // MARK: Classes that begin or end to be recorded

    enum Loud {
        @Model class Item {
            var name = ""
            init() {}
        }
    }
    enum Quiet {
        @Model class Item {
            class var recordsHistory: Bool { false }
            var name = ""
            init() {}
        }
    }

    @Test(arguments: [true, false]) func `A class ends or begins to be recorded`(ends: Bool) async throws {
        let (loud, quiet): ([any PersistentModel.Type], [any PersistentModel.Type]) = (
            [Loud.Item.self], [Quiet.Item.self]
        )
        let evolution = try ends ? Evolution(loud, quiet) : Evolution(quiet, loud)
        try await evolution.run(seed: ["INSERT INTO item (name) VALUES ('a')"], returning: .whole)
        try await withTestDatabase("history") { database in
            let scripts = try evolution.scripts()
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts) }
            try await database.execute("INSERT INTO item (pk, name) VALUES (1, 'a')")
            #expect(
                try await database.texts(Self.changes)
                    == (ends ? [] : ["migration 1.0.0 -> 2.0.0 R Item", "- I Item 1"]))
        }
    }

    // MARK: Values that no trigger sees

    @Test func `A default that fills rows, and a conversion, tell consumers to read the class again`() async throws {
        let cases: [(Evolution, [String])] = [
            (
                try Evolution([NameEvolutionTests.Note.Item.self], [PlannedFilesTests.NotedItem.Item.self]),
                ["INSERT INTO item (note) VALUES ('a')"]
            ),
            (
                try Evolution([TypeEvolutionTests.Text.Item.self], [TypeEvolutionTests.Whole.Item.self]),
                ["INSERT INTO item (value) VALUES ('7')"]
            ),
        ]
        for (evolution, seed) in cases {
            try await evolution.withDatabase("history", seed: seed) { database, runner, scripts in
                try await blocking { try runner.apply(scripts) }
                let changes = try await database.texts(Self.changes).dropFirst(seed.count)
                #expect(!changes.isEmpty)
                #expect(changes.allSatisfy { $0 == "migration 1.0.0 -> 2.0.0 R Item" }, "\(changes)")
            }
        }
    }

    @Test func `A backfill that finds nothing to do leaves no trace`() async throws {
        let evolution = try Evolution(
            [RequiredEvolutionTests.Perhaps.Item.self], [RequiredEvolutionTests.Defaulted.Item.self])
        try await evolution.withDatabase("history", seed: RequiredEvolutionTests.full) { database, runner, scripts in
            let before = try await database.texts(Self.changes)
            try await blocking { try runner.apply(scripts) }
            #expect(try await database.texts(Self.changes) == before)
        }
    }

    // MARK: Triggers that somebody has touched

    @Test func `Triggers that are disabled or gone are found, and mended`() async throws {
        let evolution = try Evolution([Loud.Item.self], [Loud.Item.self])
        try await withTestDatabase("history") { database in
            let script = try evolution.scripts()[0]
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([script]) }
            try await database.execute(
                "ALTER TABLE item DISABLE TRIGGER strata_history_update", "DROP TRIGGER strata_history_delete ON item")
            let expected = HistoryDescription(evolution.before).withoutFormerNames
            let found = try await blocking { try runner.syncHistory(expected) }
            #expect(
                found == [
                    "history: item.strata_history_delete is missing: changes are not recorded",
                    "history: trigger item.strata_history_update is disabled: changes are not recorded",
                ])
            try await evolution.expectCatalog(evolution.before, on: database, "after mending")
            #expect(try await blocking { try runner.repair([script]) } == [])
        }
    }
}
