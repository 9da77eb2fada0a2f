import Foundation
import StrataClient
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum ConditionModels {
    enum Bare {
        @Model class Trip {
            var name: String = ""
            var city: String?
            var price: Int = 0
            var isCancelled = false
            init() {}
        }
    }
    enum Ruled {
        @Model class Trip {
            #Index<Trip>([\.city]) { !$0.isCancelled }
            #Index<Trip>(
                .sorted([.key(\.price, order: .reverse), .key(\.city)], including: [\.name]),
                .sorted([.lowercased(\.name)]))
            #Check<Trip>("positivePrice") { $0.price >= 0 }
            #Check<Trip>("somewhere") { $0.city != "it's \\ \"nowhere\"" }
            var name: String = ""
            var city: String?
            var price: Int = 0
            var isCancelled = false
            init() {}
        }
    }
    enum Renamed {
        @Model class Journey {
            #Index<Journey>([\.town]) { !$0.isOff }
            #Index<Journey>(
                .sorted([.key(\.cost, order: .reverse), .key(\.town)], including: [\.title]),
                .sorted([.lowercased(\.title)]))
            #Check<Journey>("positivePrice") { $0.cost >= 0 }
            #Check<Journey>("somewhere") { $0.town != "it's \\ \"nowhere\"" }
            @Attribute(originalName: "name") var title: String = ""
            @Attribute(originalName: "city") var town: String?
            @Attribute(originalName: "price") var cost: Int = 0
            @Attribute(originalName: "isCancelled") var isOff = false
            init() {}
        }
    }
    enum Changed {
        @Model class Trip {
            #Index<Trip>([\.city]) { $0.isCancelled }
            #Index<Trip>(
                .sorted([.key(\.price), .key(\.city, nils: .last)], including: [\.isCancelled]))
            #Check<Trip>("positivePrice") { $0.price >= 1 }
            var name: String = ""
            var city: String?
            var price: Int = 0
            var isCancelled = false
            init() {}
        }
    }
    enum Retyped {
        @Model class Trip {
            #Index<Trip>([\.city]) { !$0.isCancelled }
            #Index<Trip>(
                .sorted([.key(\.price, order: .reverse), .key(\.city)], including: [\.name]),
                .sorted([.lowercased(\.name)]))
            #Check<Trip>("positivePrice") { $0.price != "-1" }
            #Check<Trip>("somewhere") { $0.city != "it's \\ \"nowhere\"" }
            var name: String = ""
            var city: String?
            var price: String = ""
            var isCancelled = false
            init() {}
        }
    }
    enum Split {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Tour: Trip {
            #Check<Tour>("seated") { $0.seats > 0 }
            #Index<Tour>([\.seats]) { $0.seats > 8 }
            var seats: Int = 1
            override init() { super.init() }
        }
    }

    enum Alone {
        @Model class Trip {
            #Check<Trip>("a") { $0.price > 0 }
            var price: Int = 1
            init() {}
        }
    }
    enum Twice {
        @Model class Trip {
            #Check<Trip>("a") { $0.price > 0 }
            #Check<Trip>("b") { $0.price > 0 }
            var price: Int = 1
            init() {}
        }
    }
    enum Handed {
        @Model class Trip {
            #Check<Trip>("a") { $0.price < 9 }
            #Check<Trip>("b") { $0.price > 0 }
            var price: Int = 1
            init() {}
        }
    }
    enum Known {
        @Model class Trip {
            #Check<Trip>("hasCity") { $0.city != nil }
            var city: String?
            init() {}
        }
    }
    enum Required {
        @Model class Trip {
            #Check<Trip>("hasCity") { _ in true }
            var city: String = ""
            init() {}
        }
    }

    static let rows = [
        """
        INSERT INTO trip (pk, name, city, price, is_cancelled) VALUES
            (1, 'Lyon', 'Lyon', 3, false), (2, 'ÉTÉ', NULL, 5, true), (3, 'x', '', 8, false)
        """
    ]
}

/// Conditions, orders and rules that models declare: planned, built, written down, and found again.
@Suite("Evolution: partial and ordered indexes, checks") struct DeclaredConditionTests {
    private typealias M = ConditionModels
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    @Test func `a version and its stage say what the model says`() throws {
        let chain = try FolderModels.chain([M.Bare.Trip.self, M.Ruled.Trip.self])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(frozen.contains(#""predicate": ["NOT ", "is_cancelled", ""]"#), "\(frozen)")
        let sql = try fixture.text("0002_v1_v2.sql")
        for statement in [
            """
            CREATE INDEX CONCURRENTLY "trip_city_idx" ON "public"."trip" ("city") WHERE (NOT "is_cancelled");
            """,
            """
            CREATE INDEX CONCURRENTLY "trip_price_city_idx" ON "public"."trip" ("price" DESC, "city" NULLS FIRST) INCLUDE ("name");
            """,
            """
            CREATE INDEX CONCURRENTLY "trip_name_idx" ON "public"."trip" ((translate(lower("name" COLLATE "C"), 'ÀÁ
            """,
            """
            ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_positive_price_check" CHECK ("price" >= '0'::bigint) NOT VALID;
            """,
            """
            ALTER TABLE "public"."trip" VALIDATE CONSTRAINT "trip_positive_price_check";
            """,
            #"""
            ADD CONSTRAINT "trip_somewhere_check" CHECK ("city" IS DISTINCT FROM E'it''s \\ "nowhere"'::text) NOT VALID;
            """#,
        ] { #expect(sql.contains(statement), "\(statement)\n\(sql)") }
        // What was written is read as what it was.
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
    }

    @Test func `they are added, renamed along, changed and dropped without drift`() async throws {
        let chain = try FolderModels.chain([
            M.Bare.Trip.self, M.Ruled.Trip.self, M.Changed.Trip.self, M.Ruled.Trip.self, M.Bare.Trip.self,
        ])
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("conditions", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await database.drift(version) == [], "\(version.version)")
                try await database.execute(
                    "DELETE FROM trip", "INSERT INTO trip (name, price, is_cancelled) VALUES ('x', 7, false)")
            }
        }
    }

    @Test func `another index or rule than the frozen one is drift`() async throws {
        let version = try FolderModels.chain([M.Ruled.Trip.self]).versions[0]
        try await withTestDatabase("drift", template: .library) { database in
            let scripts = try MigrationChain(versions: [version], stages: []).scripts(in: "public")
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts) }
            #expect(try await database.drift(version) == [])
            for (change, line) in [
                (
                    "DROP INDEX trip_city_idx; CREATE INDEX trip_city_idx ON trip (city) WHERE is_cancelled",
                    "~ index trip.trip_city_idx: the predicate is is_cancelled, expected (NOT is_cancelled)"
                ),
                (
                    "DROP INDEX trip_price_city_idx; CREATE INDEX trip_price_city_idx ON trip (price, city DESC) INCLUDE (name)",
                    "~ index trip.trip_price_city_idx: the list of columns is [price, city DESC], expected [price DESC, city NULLS FIRST]"
                ),
                (
                    "DROP INDEX trip_price_city_idx; CREATE INDEX trip_price_city_idx ON trip (price DESC, city NULLS FIRST)",
                    "~ index trip.trip_price_city_idx: the list of included columns is none, expected [name]"
                ),
                (
                    "DROP INDEX trip_name_idx; CREATE INDEX trip_name_idx ON trip (lower(name))",
                    "~ index trip.trip_name_idx: the list of columns is [lower(name)], expected [lowercased(name)]"
                ),
                (
                    "ALTER TABLE trip DROP CONSTRAINT trip_positive_price_check, ADD CONSTRAINT trip_positive_price_check CHECK (price >= -1)",
                    "~ check trip.trip_positive_price_check: the condition is (price >= '-1'::integer), expected (price >= '0'::bigint)"
                ),
                (
                    "ALTER TABLE trip DROP CONSTRAINT trip_positive_price_check",
                    "+ check trip.trip_positive_price_check is missing: (price >= '0'::bigint)"
                ),
                ("CREATE INDEX more ON trip (city DESC)", "- index trip.more is extra: (city DESC)"),
            ] {
                try await database.execute(change.split(separator: "; ").map(String.init))
                let found = try await database.drift(version)
                #expect(found == [line], "\(change)")
                // As it was.
                try await database.execute(
                    "DROP INDEX IF EXISTS more, trip_city_idx, trip_price_city_idx, trip_name_idx",
                    "ALTER TABLE trip DROP CONSTRAINT IF EXISTS trip_positive_price_check, DROP CONSTRAINT IF EXISTS trip_somewhere_check"
                )
                let table = try #require(version.database.table(named: "trip"))
                for index in table.indexes { try await database.execute(table.creation(of: index, in: "public").text) }
                for check in table.checks { try await database.execute("ALTER TABLE trip ADD \(check.clause)") }
            }
        }
    }

    @Test func `a role that may make no temporary tables leaves conditions unread`() async throws {
        let version = try FolderModels.chain([M.Ruled.Trip.self]).versions[0]
        try await withTestDatabase("unread", template: .library) { database in
            let scripts = try MigrationChain(versions: [version], stages: []).scripts(in: "public")
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts) }
            try await database.onSession(keeping: false) { session in
                try await session.run(
                    PostgresBatch(
                        PostgresStatement(PreparedSQL("SET default_transaction_read_only = on", isCached: false))))
                let found = try await CatalogInspection.read(schemaName: "public", connection: session)
                let printed = try await blocking {
                    try PrintedDefinition(version.database, found: found.definition, on: session)
                }
                #expect(printed.unread.count == 1)
                let unread = "defaults, what columns are computed by, and conditions of indexes and checks, of trip: "
                #expect(printed.unread.first?.hasPrefix(unread) == true)
                #expect(CatalogDifference(expected: printed.definition, found: found).lines == [])
            }
        }
    }

    @Test func `a class and properties with conditions are renamed`() async throws {
        try await Evolution(
            [M.Ruled.Trip.self], [M.Renamed.Journey.self],
            changes: [.renamed(M.Ruled.Trip.self, to: M.Renamed.Journey.self)]
        )
        .run(
            seed: M.rows, expecting: "SELECT pk, title, cost FROM journey ORDER BY pk",
            is: ["1|Lyon|3", "2|ÉTÉ|5", "3|x|8"], returning: .whole)
    }

    @Test func `rules and conditions are added, and taken back`() async throws {
        try await Evolution([M.Bare.Trip.self], [M.Ruled.Trip.self]).run(
            seed: M.rows, expecting: "SELECT count(*) FROM trip", is: ["3"], returning: .whole)
    }

    @Test func `rules of the same name that say something else stand beside each other until the switch`() async throws
    {
        let evolution = try Evolution([M.Ruled.Trip.self], [M.Changed.Trip.self])
        let titles = try evolution.scripts()[1].steps.map(\.title)
        #expect(titles.contains("add check trip_positive_price_check__new"), "\(titles)")
        try await evolution.run(
            seed: M.rows, expecting: "SELECT count(*) FROM trip", is: ["3"], returning: .whole)
    }

    @Test func `a property of another type takes its rules along`() async throws {
        try await Evolution([M.Ruled.Trip.self], [M.Retyped.Trip.self]).run(
            seed: M.rows, expecting: "SELECT price FROM trip ORDER BY pk", is: ["3", "5", "8"], returning: .asPlanned)
    }

    @Test func `a subclass with rules is added`() async throws {
        try await Evolution([M.Split.Trip.self], [M.Split.Trip.self, M.Split.Tour.self]).run(
            seed: ["INSERT INTO trip (pk, name) VALUES (1, 'a')"], returning: .whole)
    }

    @Test func `rows that break a rule are named before anything runs`() async throws {
        try await Evolution([M.Bare.Trip.self], [M.Ruled.Trip.self]).refuse(
            seed: M.rows + ["INSERT INTO trip (pk, name, price, is_cancelled) VALUES (77, 'bad', -4, false)"],
            naming: "M207 Trip: rows break the rule trip_positive_price_check: 1 row")
    }

    @Test(
        arguments: [
            ([M.Alone.Trip.self], [M.Twice.Trip.self]), ([M.Twice.Trip.self], [M.Alone.Trip.self]),
            ([M.Twice.Trip.self], [M.Twice.Trip.self]), ([M.Alone.Trip.self], [M.Handed.Trip.self]),
            ([M.Handed.Trip.self], [M.Alone.Trip.self]),
        ] as [([any PersistentModel.Type], [any PersistentModel.Type])])
    func `rules of one condition go on one as one`(
        before: [any PersistentModel.Type], after: [any PersistentModel.Type]
    ) async throws {
        try await Evolution(before, after).run(
            seed: ["INSERT INTO trip (price) VALUES (3)"], expecting: "SELECT price FROM trip", is: ["3"],
            returning: .whole)
    }

    @Test func `a rule that is about no column is refused`() {
        let error = #expect(throws: (any Error).self) {
            try Evolution([M.Known.Trip.self], [M.Required.Trip.self]).scripts()
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(#"the condition of #Check "hasCity" names no property of the class"#), "\(text)")
    }

    @Test func `a rule about what didMigrate fills in comes behind it`() throws {
        let plain = try Evolution([M.Split.Trip.self], [M.Alone.Trip.self])
        let script = try Evolution(
            before: plain.before, after: plain.after,
            stage: MigrationChain.Stage(
                changes: [.dropped(\M.Split.Trip.name)], hasDidMigrate: true)
        ).scripts()[1]
        let closure = try #require(script.steps.firstIndex { $0.execution == .closure(.didMigrate) })
        let check = try #require(script.steps.firstIndex { $0.title == "add check trip_a_check" })
        #expect(closure < check)
        #expect(!script.checks.contains { $0.code == "M207" }, "\(script.checks)")
    }
}
