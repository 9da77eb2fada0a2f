import Foundation
import StrataClient
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum ServerDefaultModels {
    enum Kind: String, Codable { case small, large }

    enum Plain {
        @Model class Parcel {
            var code: String = ""
            var kind = Kind.small
            init() {}
        }
    }
    enum First {
        @Model class Parcel {
            var code: String = ""
            @Attribute(.serverDefault) var kind = Kind.small
            @Attribute(.serverDefault) var state: String = "it's new"
            @Attribute(.serverDefault) var weight: Decimal = Decimal(string: "1.5")!
            @Attribute(.serverDefault) var count: Int? = -3
            @Attribute(.serverDefault) var isOpen = true
            init() {}
        }
        @Model final class Crate: Parcel {
            @Attribute(.serverDefault) var planks = 4
        }
    }
    enum Second {
        @Model class Parcel {
            var code: String = ""
            @Attribute(.serverDefault) var kind = Kind.large
            var state: String = "it's new"
            @Attribute(.serverDefault) var weight: Decimal = Decimal(string: "1.5")!
            @Attribute(.serverDefault) var count: Int? = -3
            @Attribute(.serverDefault) var isOpen = true
            init() {}
        }
        @Model final class Crate: Parcel {
            @Attribute(.serverDefault) var planks = 4
        }
    }
    /// A value that is converted meets the default of its new column.
    enum Numbered {
        @Model class Parcel {
            @Attribute(.serverDefault) var code: Int = 7
            var kind = Kind.small
            init() {}
        }
    }

    /// A default of what moves, or changes its type.
    enum Lower {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model final class BusinessTrip: Trip {
            @Attribute(.serverDefault) var perdiem = 50.0
            @Attribute(.serverDefault) var code: String? = "7"
        }
    }
    enum Upper {
        @Model class Trip {
            var name: String = ""
            var perdiem = 10.0
            init() {}
        }
        @Model final class BusinessTrip: Trip {
            var code: Int?
        }
    }

    @Model final class Wrong {
        @Attribute(.serverDefault) var made = Date.now
        @Attribute(.serverDefault) var id = UUID()
        @Attribute(.serverDefault) var note: String?
        @Attribute(.serverDefault, .tenant) var shop = ""
        init() {}
    }
    @Model(inheritance: .singleTable) class Shape {
        init() {}
    }
    @Model final class Circle: Shape {
        @Attribute(.serverDefault) var radius = 1.5
    }
}

/// Defaults of columns for other programs: planned, compared, and left to nobody.
@Suite("Evolution: server defaults") struct ServerDefaultTests {
    private typealias M = ServerDefaultModels
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func drift(_ schema: FrozenSchema, _ database: TestDatabase) async throws -> [String] {
        try await database.onSession { session in
            let found = try await CatalogInspection.read(schemaName: "public", connection: session)
            let printed = try await blocking {
                try PrintedDefinition(schema.database, found: found.definition, on: session)
            }
            #expect(printed.unread == [])
            return CatalogDifference(expected: printed.definition, found: found).lines
        }
    }

    @Test func `the constant stands in the table`() throws {
        let tables = DatabaseDefinition(StoreMapping(Schema(M.First.Parcel.self, M.First.Crate.self))).tables
        let clauses = tables.flatMap(\.columns).filter { $0.defaultExpression != nil }.map(\.clause)
        #expect(
            clauses == [
                #""class" text COLLATE "C" NOT NULL DEFAULT 'Parcel'::text"#,
                #""kind" text COLLATE "C" NOT NULL DEFAULT 'small'::text"#,
                #""state" text COLLATE "C" NOT NULL DEFAULT 'it''s new'::text"#,
                #""weight" numeric NOT NULL DEFAULT '1.5'::numeric"#, #""count" bigint DEFAULT -3"#,
                #""is_open" boolean NOT NULL DEFAULT true"#, #""planks" bigint NOT NULL DEFAULT 4"#,
            ])
    }

    @Test func `it comes, changes with the initializer, and goes, without drift`() async throws {
        let chain = try FolderModels.chain([
            M.Plain.Parcel.self, M.First.Parcel.self, M.Second.Parcel.self, M.Plain.Parcel.self,
        ])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
        let sql = try fixture.text("0003_v2_v3.sql")
        for text in [
            #"ALTER TABLE "public"."parcel" ALTER COLUMN "kind" SET DEFAULT 'large'::text;"#,
            #"ALTER TABLE "public"."parcel" ALTER COLUMN "state" DROP DEFAULT;"#,
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        let lines = PlannedFindings(
            try folder.contents().all, before: [nil] + chain.versions.map(\.database),
            after: chain.versions.map(\.database)
        ).lines
        #expect(lines == [])
        let scripts = try folder.contents().all
        try await withTestDatabase("server defaults", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await drift(version, database) == [], "\(version.version)")
                guard index == 1 || index == 2 else { continue }
                let state = index == 1 ? "" : ", state"
                let value = index == 1 ? "" : ", 'told'"
                try await database.execute("INSERT INTO parcel (code\(state)) VALUES ('v\(index)'\(value))")
                try await database.execute("ALTER TABLE parcel ALTER COLUMN weight SET DEFAULT 2")
                #expect(
                    try await drift(version, database) == [
                        "~ column parcel.weight: the default is 2, expected 1.5"
                    ])
                try await database.execute("ALTER TABLE parcel ALTER COLUMN weight SET DEFAULT '1.5'::numeric")
                #expect(
                    try await database.texts(
                        "SELECT concat_ws(' ', code, kind, state, weight, count, is_open) FROM parcel ORDER BY pk")
                        == (index == 1
                            ? ["v1 small it's new 1.5 -3 t"]
                            : ["v1 small it's new 1.5 -3 t", "v2 large told 1.5 -3 t"]))
            }
        }
    }

    @Test func `rows, and rows of old code, are filled as without it`() async throws {
        try await Evolution([M.Plain.Parcel.self], [M.First.Parcel.self, M.First.Crate.self]).run(
            seed: ["INSERT INTO parcel (pk, code, kind) VALUES (1, 'a', 'large')"],
            expecting: "SELECT code, kind, state, weight FROM parcel", is: ["a|large|it's new|1.5"],
            returning: .whole)
        let evolution = try Evolution([M.Plain.Parcel.self], [M.Numbered.Parcel.self])
        try await evolution.withDatabase(seed: ["INSERT INTO parcel (pk, code, kind) VALUES (1, '12', 'small')"]) {
            database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            // Old code does not know the new column: its value is converted, and no default stands in for it.
            try await database.execute("INSERT INTO parcel (pk, code, kind) VALUES (2, '13', 'small')")
            try await blocking { try runner.apply(scripts) }
            try await database.execute("INSERT INTO parcel (pk, kind) VALUES (3, 'small')")
            #expect(try await database.texts("SELECT code::text FROM parcel ORDER BY pk") == ["12", "13", "7"])
        }
    }

    @Test func `the default of a column whose values go elsewhere does not stand in for those of new code`()
        async throws
    {
        let evolution = try Evolution(
            [M.Lower.Trip.self, M.Lower.BusinessTrip.self], [M.Upper.Trip.self, M.Upper.BusinessTrip.self])
        let seed = [
            "INSERT INTO trip (pk, class, name) VALUES (1, 'BusinessTrip', 'old')",
            "INSERT INTO business_trip (pk, perdiem) VALUES (1, 20)",
        ]
        try await evolution.withDatabase(seed: seed) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            // As new code inserts: the old columns are nobody's.
            try await database.execute(
                "INSERT INTO trip (pk, class, name, perdiem) VALUES (2, 'BusinessTrip', 'new', 120)",
                "INSERT INTO business_trip (pk) VALUES (2)")
            try await blocking { try runner.apply(scripts) }
            #expect(
                try await database.texts(
                    "SELECT concat_ws(' ', t.pk, perdiem, coalesce(code::text, '-')) FROM trip t JOIN business_trip USING (pk) ORDER BY t.pk"
                )
                    == ["1 20 7", "2 120 -"])
        }
        try await evolution.run(seed: seed, returning: .whole)
    }

    @Test func `what is no constant, or nobody's, is refused`() {
        func findings(_ schema: Schema, _ tables: TableOwnership = .own) -> [String] {
            SchemaValidation.findings(schema, mapping: StoreMapping(schema, tables: tables)).map(\.description)
        }
        let wrong = findings(Schema(M.Wrong.self, M.Shape.self, M.Circle.self))
        for text in [
            "Wrong.made: it is marked .serverDefault, and is a Date, of which nobody can tell",
            "Wrong.id: it is marked .serverDefault, and its initializer is not the same constant each time",
            "Wrong.note: it is marked .serverDefault, and has no initializer that gives a value",
            "Wrong.shop: it is marked .serverDefault and .tenant",
            "Circle.radius: it is marked .serverDefault, and rows of all classes stand in the table of Shape: those of others would get it too",
        ] { #expect(wrong.contains { $0.contains(text) }, "\(text): \(wrong)") }
        let external = findings(Schema(M.First.Parcel.self), .external)
        #expect(
            external.contains {
                $0.contains("it is marked .serverDefault, and the defaults of tables that others have made are theirs")
            }, "\(external)")
    }
}
