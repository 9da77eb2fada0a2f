import Foundation
import StrataClient
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum ComputedColumnModels {
    enum Plain {
        @Model class Line {
            var price: Int = 0
            var count: Int = 0
            init() {}
        }
    }
    enum Computed {
        @Model class Line {
            #Generated<Line, Int>(\.total) { $0.price * $0.count }
            #Index<Line>([\.total])
            var price: Int = 0
            var count: Int = 0
            @Attribute(.generated) var total: Int
            init() {}
        }
    }
    enum Other {
        @Model class Line {
            #Generated<Line, Int>(\.total) { $0.price * $0.count + 1 }
            #Index<Line>([\.total])
            var price: Int = 0
            var count: Int = 0
            @Attribute(.generated) var total: Int
            init() {}
        }
    }
    /// The properties have other names, and so has the one that is computed.
    enum Renamed {
        @Model class Item {
            #Generated<Item, Int>(\.sum) { $0.cost * $0.count }
            #Index<Item>([\.sum])
            @Attribute(originalName: "price") var cost: Int = 0
            var count: Int = 0
            @Attribute(.generated) var sum: Int
            init() {}
        }
    }
    /// What it is computed from has another type.
    enum Typed {
        @Model class Line {
            #Generated<Line, Decimal>(\.total) { $0.price * 2 }
            @Attribute(.precision(12)) var price: Decimal = 0
            var count: Int = 0
            @Attribute(.generated) var total: Decimal
            init() {}
        }
    }
    /// It is computed from what is new.
    enum Grown {
        @Model class Line {
            #Generated<Line, Int>(\.total) { $0.price * $0.factor }
            var price: Int = 0
            var count: Int = 0
            var factor: Int = 3
            @Attribute(.generated) var total: Int
            init() {}
        }
    }
    enum Stored {
        @Model class Line {
            var price: Int = 0
            var count: Int = 0
            var total: Int = 0
            init() {}
        }
    }

    enum Counted {
        @Model class Line {
            #Generated<Line, Int>(\.total) { $0.price * $0.count }
            #Index<Line>([\.total])
            var price: Int = 0
            var count: Int = 0
            var amount: Int = 0
            @Attribute(.generated) var total: Int
            init() {}
        }
    }

    /// An index of some rows asks for what is computed.
    enum Partial {
        enum First {
            @Model class Line {
                #Generated<Line, Int>(\.total) { $0.price * $0.count }
                #Index<Line>([\.count]) { $0.total > 6 }
                var price: Int = 0
                var count: Int = 0
                @Attribute(.generated) var total: Int
                init() {}
            }
        }
        enum Second {
            @Model class Line {
                #Generated<Line, Int>(\.total) { $0.price + $0.count }
                #Index<Line>([\.count]) { $0.total > 6 }
                var price: Int = 0
                var count: Int = 0
                @Attribute(.generated) var total: Int
                init() {}
            }
        }
    }

    enum Flat {
        @Model class Trip {
            var name: String = ""
            var perdiem: Int?
            init() {}
        }
    }
    enum Split {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model final class BusinessTrip: Trip {
            #Generated<BusinessTrip, Int>(\.weekly) { ($0.perdiem ?? 0) * 7 }
            var perdiem: Int?
            @Attribute(.generated) var weekly: Int
        }
    }

    enum Divided {
        enum Plain {
            @Model final class Reading {
                #PrimaryKey<Reading>([\.id, \.takenAt])
                #Partition<Reading>(by: \.takenAt, every: .month)
                var id: UUID
                var takenAt: Date
                var value: Int = 0
                init() { (id, takenAt) = (UUID(), Date()) }
            }
        }
        enum Computed {
            @Model final class Reading {
                #PrimaryKey<Reading>([\.id, \.takenAt])
                #Partition<Reading>(by: \.takenAt, every: .month)
                #Generated<Reading, Int>(\.twice) { $0.value * 2 }
                var id: UUID
                var takenAt: Date
                var value: Int = 0
                @Attribute(.generated) var twice: Int
                init() { (id, takenAt) = (UUID(), Date()) }
            }
        }
    }

    static let rows = ["INSERT INTO line (pk, price, count) VALUES (1, 2, 3), (2, 5, 7)"]
}

/// Generated columns: planned, compared, changed and dropped.
@Suite("Evolution: generated columns") struct ComputedColumnMigrationTests {
    private typealias M = ComputedColumnModels
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func drift(_ schema: FrozenSchema, _ database: TestDatabase) async throws -> [String] {
        try await database.onSession { session in
            let found = try await CatalogInspection.read(schemaName: "public", connection: session)
            let printed = try await blocking {
                try PrintedDefinition(schema.database, found: found.definition, on: session)
            }
            return CatalogDifference(expected: printed, found: found).lines
        }
    }

    @Test func `a stage adds it behind what it is computed from, and asks whether the lock may be`() throws {
        let chain = try FolderModels.chain(
            [M.Plain.Line.self, M.Grown.Line.self, M.Other.Line.self],
            stages: [.init(), .init(changes: [.dropped(\M.Grown.Line.factor)])])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
        let added = try fixture.text("0002_v1_v2.sql")
        for text in [
            """
            ALTER TABLE "public"."line" ADD COLUMN "total" bigint GENERATED ALWAYS AS ("price" * "factor") STORED;
            """,
            "-- operation: add-generated-column",
            "total of line is computed for every row, and nobody reads or writes the table until that is done",
        ] { #expect(added.contains(text), "\(text)\n\(added)") }
        // Another expression is another column, until the switch.
        let changed = try fixture.text("0003_v2_v3.sql")
        for text in [
            """
            ALTER TABLE "public"."line" ADD COLUMN "total__new" bigint GENERATED ALWAYS AS (("price" * "count") + '1'::bigint) STORED;
            """,
            """
            CREATE INDEX CONCURRENTLY "line_total_idx" ON "public"."line" ("total__new");
            """,
            #"ALTER TABLE "public"."line" RENAME COLUMN "total__new" TO "total";"#,
        ] { #expect(changed.contains(text), "\(text)\n\(changed)") }
        let lines = PlannedFindings(
            try folder.contents().all, before: [nil] + chain.versions.map(\.database),
            after: chain.versions.map(\.database)
        ).lines
        #expect(lines == [])
    }

    @Test func `it comes, changes and goes without drift, and a large table is asked for`() async throws {
        let chain = try FolderModels.chain([
            M.Plain.Line.self, M.Computed.Line.self, M.Other.Line.self, M.Typed.Line.self, M.Plain.Line.self,
            M.Computed.Line.self,
        ])
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("generated columns", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            let totals = [nil, "6 35", "7 36", "4 10", nil]
            for (index, version) in chain.versions.dropLast().enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await drift(version, database) == [], "\(version.version)")
                if index == 0 { try await database.execute(M.rows) }
                guard let expected = totals[index] else { continue }
                #expect(
                    try await database.texts("SELECT string_agg(total::text, ' ' ORDER BY pk) FROM line") == [expected])
                guard index == 1 else { continue }
                try await database.execute(
                    "ALTER TABLE line DROP COLUMN total",
                    "ALTER TABLE line ADD COLUMN total bigint GENERATED ALWAYS AS (price + count) STORED",
                    "CREATE INDEX line_total_idx ON line (total)")
                #expect(
                    try await drift(version, database)
                        == ["~ column line.total: is computed by (price + count), expected (price * count)"])
                try await database.execute(
                    "ALTER TABLE line DROP COLUMN total",
                    "ALTER TABLE line ADD COLUMN total bigint GENERATED ALWAYS AS (price * count) STORED",
                    "CREATE INDEX line_total_idx ON line (total)")
                // One that somebody has made by hand says nothing; one that says something else keeps a container from being opened.
                #expect(try await drift(version, database) == [])
                try await database.execute("COMMENT ON COLUMN line.total IS 'strata 0123456789abcdef'")
                let mark = try #require(version.database.table(named: "line")?.column(named: "total")?.mark)
                #expect(
                    try await drift(version, database)
                        == ["~ column line.total: its comment is strata 0123456789abcdef, expected \(mark)"])
            }
            try await database.execute(
                "INSERT INTO line (pk, price, count) SELECT n + 10, n, 1 FROM generate_series(1, 220000) AS n")
            let error = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.apply(scripts, to: chain.versions.count) }
            }
            #expect("\(String(describing: error))".contains("M209"), "\(String(describing: error))")
        }
    }

    @Test func `it is added to rows, renamed, and taken back`() async throws {
        let cases: [(any PersistentModel.Type, any PersistentModel.Type, String, Evolution.Return)] = [
            (M.Plain.Line.self, M.Computed.Line.self, "6 35", .whole),
            (M.Computed.Line.self, M.Other.Line.self, "7 36", .whole),
            (M.Plain.Line.self, M.Grown.Line.self, "6 15", .whole),
            (M.Computed.Line.self, M.Typed.Line.self, "4 10", .asPlanned),
            (M.Partial.First.Line.self, M.Partial.Second.Line.self, "5 12", .whole),
        ]
        for (before, after, expected, back) in cases {
            try await Evolution([before], [after]).run(
                seed: M.rows, expecting: "SELECT string_agg(total::text, ' ' ORDER BY pk) FROM line", is: [expected],
                returning: back)
        }
        try await Evolution(
            [M.Computed.Line.self], [M.Renamed.Item.self],
            changes: [.renamed(M.Computed.Line.self, to: M.Renamed.Item.self)]
        )
        .run(
            seed: M.rows, expecting: "SELECT string_agg(sum::text, ' ' ORDER BY pk) FROM item", is: ["6 35"],
            returning: .whole)
        // The comment says what it is computed of now, so that a program which calls it so opens the database.
        let renamed = try Evolution(
            [M.Computed.Line.self], [M.Renamed.Item.self],
            changes: [.renamed(M.Computed.Line.self, to: M.Renamed.Item.self)])
        let mark = try #require(renamed.after.database.table(named: "item")?.column(named: "sum")?.mark)
        try await renamed.run(
            seed: M.rows,
            expecting:
                "SELECT col_description('item'::regclass, attnum) FROM pg_attribute WHERE attrelid = 'item'::regclass AND attname = 'sum'",
            is: ["\(mark)"], returning: .whole)
        // A value that was written is somebody's: it does not go without a word.
        #expect(throws: MigrationError.self) {
            try FolderModels.chain([M.Stored.Line.self, M.Computed.Line.self]).scripts(in: "public")
        }
    }

    private let comments = """
        SELECT concat_ws(' ', c.relname, a.attname, col_description(a.attrelid, a.attnum)) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relkind = 'r' AND a.attgenerated = 's' AND c.relnamespace = 'public'::regnamespace
        """

    @Test func `the switch is undone, and with it what the comment says`() async throws {
        let evolution = try Evolution(
            [M.Computed.Line.self], [M.Renamed.Item.self],
            changes: [
                .renamed(M.Computed.Line.self, to: M.Renamed.Item.self), .sql("SELECT 1 / 0", phase: .contract),
            ])
        let old = try #require(evolution.before.database.table(named: "line")?.column(named: "total")?.mark)
        let new = try #require(evolution.after.database.table(named: "item")?.column(named: "sum")?.mark)
        #expect(old != new)
        try await evolution.withDatabase(seed: M.rows) { database, runner, scripts in
            await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect(try await database.texts(comments) == ["item sum \(new)"])
            try await blocking { try runner.rollback(scripts[1]) }
            #expect(try await database.texts(comments) == ["line total \(old)"])
            #expect(try await drift(evolution.before, database) == [])
        }
    }

    @Test func `a comment of somebody's is not written over by the switch`() async throws {
        let evolution = try Evolution(
            [M.Computed.Line.self], [M.Renamed.Item.self],
            changes: [.renamed(M.Computed.Line.self, to: M.Renamed.Item.self)])
        try await evolution.withDatabase(seed: M.rows) { database, runner, scripts in
            try await database.execute("COMMENT ON COLUMN line.total IS 'in cents'")
            let error = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.apply(scripts) }
            }
            let text = "\(String(describing: error))"
            #expect(text.contains("M210") && text.contains("the comment of line.total is somebody's"), "\(text)")
            #expect(try await database.texts(comments) == ["line total in cents"])
            try await database.execute("COMMENT ON COLUMN line.total IS NULL")
            try await blocking { try runner.apply(scripts) }
            #expect(try await drift(evolution.after, database) == [])
            let mark = try #require(evolution.after.database.table(named: "item")?.column(named: "sum")?.mark)
            #expect(try await database.texts(comments) == ["item sum \(mark)"])
        }
    }

    @Test func `what was computed and is stored from now on is said, or refused`() async throws {
        let error = try #require(throws: MigrationError.self) {
            try Evolution([M.Computed.Line.self], [M.Stored.Line.self]).scripts()
        }
        #expect(error.code == .planRefused && error.places == ["Line.total"])
        #expect(
            "\(error)".contains("Line.total was computed by #Generated and is stored from now on")
                && "\(error)".contains(##".filled(\Line.total, with: #""price" * "count""#)"##), "\(error)")
        try await Evolution(
            [M.Computed.Line.self], [M.Stored.Line.self],
            changes: [.filled(\M.Stored.Line.total, with: "price * count")]
        ).run(
            seed: M.rows, expecting: "SELECT string_agg(total::text, ' ' ORDER BY pk) FROM line", is: ["6 35"],
            returning: .whole)
    }

    @Test func `what is stored from now on follows old code until the switch`() async throws {
        let evolution = try Evolution(
            [M.Computed.Line.self], [M.Stored.Line.self],
            changes: [.filled(\M.Stored.Line.total, with: "price * count")])
        try await evolution.withDatabase(seed: M.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute(
                "INSERT INTO line (pk, price, count) VALUES (3, 10, 10)", "UPDATE line SET count = 4 WHERE pk = 1")
            try await blocking { try runner.apply(scripts) }
            let totals = try await database.texts("SELECT string_agg(total::text, ' ' ORDER BY pk) FROM line")
            #expect(totals == ["8 35 100"])
            #expect(try await drift(evolution.after, database) == [])
        }
    }

    @Test func `SQL of a stage that names it is refused, as triggers do not see it`() async throws {
        let changes: [(any PersistentModel.Type, SchemaChange)] = [
            (M.Counted.Line.self, .filled(\M.Counted.Line.amount, with: "total")),
            (M.Counted.Line.self, .converted(\M.Counted.Line.count, using: #""total" / 2"#)),
        ]
        for (after, change) in changes {
            let error = try #require(throws: MigrationError.self) {
                try Evolution([M.Computed.Line.self], [after], changes: [change]).scripts()
            }
            #expect(error.code == .planRefused)
            #expect(
                "\(error)".contains("names line.total, which the server computes")
                    && "\(error)".contains(#"write what it is computed by: "price" * "count""#), "\(error)")
        }
    }

    @Test func `rows of which it cannot be computed are named before the stage`() async throws {
        try await Evolution([M.Plain.Line.self], [M.Computed.Line.self]).withDatabase(
            seed: M.rows + ["INSERT INTO line (pk, price, count) VALUES (3, 4611686018427387904, 4)"]
        ) { database, runner, scripts in
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            let text = "\(String(describing: error))"
            #expect(text.contains("M204") && text.contains("line.total cannot be computed of some rows"), "\(text)")
            let columns = try await database.texts("SELECT count(*)::text FROM pg_attribute WHERE attname = 'total'")
            #expect(columns == ["0"])
        }
    }

    @Test func `the partitions of a table are what is asked for`() async throws {
        let evolution = try Evolution([M.Divided.Plain.Reading.self], [M.Divided.Computed.Reading.self])
        try await evolution.withDatabase(seed: [
            "INSERT INTO reading (id, taken_at, value) SELECT gen_random_uuid(), now(), n FROM generate_series(1, 150000) AS n"
        ]) { database, runner, scripts in
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect("\(String(describing: error))".contains("M209"), "\(String(describing: error))")
            let allowing = MigrationRunner(
                configuration: database.configuration, schemaName: "public",
                options: RunnerOptions(allowedChecks: ["M209"]))
            try await blocking { try allowing.apply(scripts) }
            #expect(try await database.texts("SELECT max(twice)::text FROM reading") == ["300000"])
            #expect(try await drift(evolution.after, database) == [])
        }
    }

    @Test func `rows that are split off into a class with one are written by old and new code`() async throws {
        let evolution = try Evolution(
            [M.Flat.Trip.self], [M.Split.Trip.self, M.Split.BusinessTrip.self],
            changes: [.split(M.Split.BusinessTrip.self, where: "name = 'business'")])
        try await evolution.withDatabase(
            seed: ["INSERT INTO trip (pk, name, perdiem) VALUES (1, 'business', 10)"]
        ) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute(
                "INSERT INTO trip (pk, name, perdiem) VALUES (2, 'business', 20)",
                "INSERT INTO trip (pk, class, name) VALUES (3, 'BusinessTrip', 'business')",
                "INSERT INTO business_trip (pk, perdiem) VALUES (3, 30)")
            try await blocking { try runner.apply(scripts) }
            let weekly = try await database.texts("SELECT weekly::text FROM business_trip ORDER BY pk")
            #expect(weekly == ["70", "140", "210"])
            #expect(try await drift(evolution.after, database) == [])
        }
    }

    @Test func `old and new code write meanwhile, and a half-applied stage is taken back`() async throws {
        let evolution = try Evolution([M.Computed.Line.self], [M.Other.Line.self])
        let totals = "SELECT string_agg(total::text, ' ' ORDER BY pk) FROM line"
        try await evolution.withDatabase(seed: M.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute(
                "INSERT INTO line (pk, price, count) VALUES (3, 10, 10)", "UPDATE line SET count = 4 WHERE pk = 1")
            #expect(try await database.texts(totals) == ["8 35 100"])
            try await blocking { try runner.rollback(scripts[1]) }
            #expect(try await database.texts(totals) == ["8 35 100"])
            #expect(try await drift(evolution.before, database) == [])
            try await blocking { try runner.apply(scripts) }
            #expect(try await database.texts(totals) == ["9 36 101"])
            #expect(try await drift(evolution.after, database) == [])
        }
    }

    @Test func `a column that goes on is not written anew`() throws {
        let chain = try FolderModels.chain([M.Computed.Line.self, M.Computed.Line.self])
        #expect(chain.versions[0].database == chain.versions[1].database)
        let renamed = MigrationChain.Stage(changes: [.renamed(M.Computed.Line.self, to: M.Renamed.Item.self)])
        let script = try MigrationPlanner.script(
            number: 2, from: chain.versions[0], to: try FolderModels.chain([M.Renamed.Item.self]).versions[0],
            stage: renamed, schemaName: "public")
        #expect(!script.steps.contains { $0.operation == .addGeneratedColumn || $0.operation == .dropColumn })
    }
}
