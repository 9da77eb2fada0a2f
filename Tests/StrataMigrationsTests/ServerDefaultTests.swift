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

    /// The default follows a value into another table, or beside a new name.
    enum Below {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model final class BusinessTrip: Trip {
            @Attribute(.serverDefault) var perdiem = 5.0
        }
    }
    enum Above {
        @Model class Trip {
            var name: String = ""
            @Attribute(.serverDefault) var perdiem = 5.0
            init() {}
        }
        @Model final class BusinessTrip: Trip {}
    }
    enum Renamed {
        @Model class Trip {
            var name: String = ""
            @Attribute(.serverDefault, originalName: "perdiem") var allowance = 7.0
            init() {}
        }
        @Model final class BusinessTrip: Trip {}
    }
    enum BelowOfSeven {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model final class BusinessTrip: Trip {
            @Attribute(.serverDefault) var perdiem = 7.0
        }
    }
    /// A class joins another, whose rows have a value of their own or none.
    enum Beside {
        @Model class Trip {
            var name: String = ""
            @Attribute(.serverDefault) var count: Int? = -3
            init() {}
        }
        @Model final class BusinessTrip: Trip {}
        @Model final class Hike {
            var name: String = ""
            init() {}
        }
    }
    enum Joined {
        @Model class Trip {
            var name: String = ""
            @Attribute(.serverDefault) var count: Int? = -3
            init() {}
        }
        @Model final class BusinessTrip: Trip {}
        @Model final class Hike: Trip {}
    }
    /// Rows of one class become those of two, in a table of their own.
    enum Whole {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
    }
    enum Split {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model final class BusinessTrip: Trip {
            @Attribute(.serverDefault) var seats: Int? = 2
            @Attribute(.serverDefault) var rate = 3
        }
    }
    /// One table for all classes.
    enum Shared {
        @Model(inheritance: .singleTable) class Sign {
            var name: String = ""
            init() {}
        }
        @Model final class Light: Sign { var color: String? }
    }
    enum SharedWithState {
        @Model(inheritance: .singleTable) class Sign {
            var name: String = ""
            @Attribute(.serverDefault) var state = "new"
            init() {}
        }
        @Model final class Light: Sign { var color: String? }
    }

    @Model final class Wrong {
        @Attribute(.serverDefault) var made = Date.now
        @Attribute(.serverDefault) var day: [CalendarDate] = [CalendarDate.today(in: .gmt)]
        @Attribute(.precision(4, scale: 1), .serverDefault) var rate: Decimal = Decimal(125) / 100
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
        let chain = try FolderModels.chain(
            [M.Plain.Parcel.self, M.First.Parcel.self, M.Second.Parcel.self, M.Plain.Parcel.self],
            stages: [
                .init(), .init(),
                .init(changes: [
                    .dropped(\M.Second.Parcel.state), .dropped(\M.Second.Parcel.weight),
                    .dropped(\M.Second.Parcel.count), .dropped(\M.Second.Parcel.isOpen),
                ]),
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
                #expect(try await database.drift(version) == [], "\(version.version)")
                guard index == 1 || index == 2 else { continue }
                let state = index == 1 ? "" : ", state"
                let value = index == 1 ? "" : ", 'told'"
                try await database.execute("INSERT INTO parcel (code\(state)) VALUES ('v\(index)'\(value))")
                try await database.execute(
                    "ALTER TABLE parcel ALTER weight SET DEFAULT 2, ALTER is_open DROP DEFAULT, ALTER code SET DEFAULT 'x'"
                )
                #expect(
                    try await database.drift(version) == [
                        "~ column parcel.code: the default is 'x'::text, expected none",
                        "~ column parcel.is_open: the default is none, expected true",
                        "~ column parcel.weight: the default is 2, expected 1.5",
                    ])
                try await database.execute(
                    "ALTER TABLE parcel ALTER weight SET DEFAULT '1.5'::numeric, ALTER is_open SET DEFAULT true, ALTER code DROP DEFAULT"
                )
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
        try await evolution.run(
            seed: seed,
            returning: .changed(
                note: "going back, BusinessTrip.code is converted from bigint: what was written in another form than "
                    + "PostgreSQL writes comes back in that one"))
    }

    /// A program that brings no value has the default of its version, and what others bring stays: writers leave out 5.
    @Test(arguments: [pulledUp, pushedDown, renamed])
    func `old and new code write beside programs that leave a value to the default`(overlap: Overlap) async throws {
        try await overlap.run()
    }

    /// - Parameter isOld: whether the column has a default, which new ones have behind the stage alone.
    private static func below(isOld: Bool) -> Overlap.Dialect {
        Overlap.Dialect(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'BusinessTrip', 'b')",
                    isOld && value == "5"
                        ? "INSERT INTO business_trip (pk) VALUES (\(key))"
                        : "INSERT INTO business_trip (pk, perdiem) VALUES (\(key), \(value))",
                ]
            },
            update: { ["UPDATE business_trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: """
                SELECT pk AS key, coalesce(b.perdiem::text, 'NULL') AS value FROM trip JOIN business_trip AS b USING (pk)
                """)
    }

    private static func above(_ column: String, isOld: Bool) -> Overlap.Dialect {
        Overlap.Dialect(
            insert: { key, value in
                [
                    isOld && value == "5"
                        ? "INSERT INTO trip (pk, class, name) VALUES (\(key), 'BusinessTrip', 'a')"
                        : "INSERT INTO trip (pk, class, name, \(column)) VALUES (\(key), 'BusinessTrip', 'a', \(value))",
                    "INSERT INTO business_trip (pk) VALUES (\(key))",
                ]
            },
            update: { ["UPDATE trip SET \(column) = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(\(column)::text, 'NULL') AS value FROM trip")
    }

    static let pulledUp = Overlap(
        name: "default pulled up",
        evolution: {
            try Evolution(
                [M.Below.Trip.self, M.Below.BusinessTrip.self], [M.Above.Trip.self, M.Above.BusinessTrip.self])
        },
        old: below(isOld: true), new: above("perdiem", isOld: false), isOptional: false)

    static let pushedDown = Overlap(
        name: "default pushed down",
        evolution: {
            try Evolution(
                [M.Above.Trip.self, M.Above.BusinessTrip.self],
                [M.BelowOfSeven.Trip.self, M.BelowOfSeven.BusinessTrip.self])
        },
        old: above("perdiem", isOld: true), new: below(isOld: false), isOptional: false, values: withoutSeven)

    /// The initializer of the new version is 7: nobody has it who did not say so.
    private static let withoutSeven = [1, 2, 3, 5, 8]

    static let renamed = Overlap(
        name: "default renamed",
        evolution: {
            try Evolution(
                [M.Above.Trip.self, M.Above.BusinessTrip.self], [M.Renamed.Trip.self, M.Renamed.BusinessTrip.self],
                changes: [.sideBySide(\M.Renamed.Trip.allowance)])
        },
        old: above("perdiem", isOld: true), new: above("allowance", isOld: false), isOptional: false,
        values: withoutSeven)

    @Test func `a trigger brings the default of an old column, and a note says where it cannot`() throws {
        let renamed = try Self.renamed.evolution().scripts()[1]
        let text = renamed.steps.flatMap(\.statements).joined(separator: "\n")
        for part in [
            #"ALTER TABLE "public"."trip" ALTER COLUMN "perdiem" DROP DEFAULT"#,
            """
                IF TG_OP = 'INSERT' AND NEW."perdiem" IS NULL AND NEW."allowance" IS NULL THEN
                    NEW."perdiem" := '5.0'::double precision;
                END IF;
            """,
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        // Until the trigger is there, the default is.
        let expand = renamed.steps.filter { $0.phase == .expand }.map(\.operation)
        #expect(expand.last == .omitColumn && expand.dropLast().last == .keepInStep, "\(expand)")
        let note = { (column: String) in
            "programs that leave \(column) to its default must bring a value: it has none while the stage is under way"
        }
        #expect(renamed.notes.contains(note("trip.perdiem")) == false)
        let lower = try Evolution(
            [M.Lower.Trip.self, M.Lower.BusinessTrip.self], [M.Upper.Trip.self, M.Upper.BusinessTrip.self]
        ).scripts()[1]
        #expect(lower.notes.contains(note("business_trip.code")))
        // The row above has the new version's value by then, which is another one.
        #expect(lower.notes.contains(note("business_trip.perdiem")))
    }

    @Test func `a table that a stage fills has its defaults behind it`() async throws {
        let evolution = try Evolution(
            [M.Whole.Trip.self], [M.Split.Trip.self, M.Split.BusinessTrip.self],
            changes: [.split(M.Split.BusinessTrip.self, where: "name = 'b'")])
        try await evolution.run(
            seed: ["INSERT INTO trip (pk, name) VALUES (1, 'a'), (2, 'b')"],
            expecting: "SELECT pk, seats, rate FROM business_trip", is: ["2|nil|3"], returning: .asPlanned)
        // Rows that come into a table with a default bring no value, too.
        try await Evolution(
            [M.Beside.Trip.self, M.Beside.BusinessTrip.self, M.Beside.Hike.self],
            [M.Joined.Trip.self, M.Joined.BusinessTrip.self, M.Joined.Hike.self]
        ).run(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 't')",
                "INSERT INTO hike (pk, name) VALUES (2, 'h')",
            ],
            expecting: "SELECT pk, count FROM trip ORDER BY pk", is: ["1|-3", "2|nil"], returning: .asPlanned)
        // One for rows of all classes of a table, which the root has.
        try await Evolution(
            [M.Shared.Sign.self, M.Shared.Light.self], [M.SharedWithState.Sign.self, M.SharedWithState.Light.self]
        ).run(
            seed: ["INSERT INTO sign (pk, class, name) VALUES (1, 'Sign', 's'), (2, 'Light', 'l')"],
            expecting: "SELECT pk, state FROM sign ORDER BY pk", is: ["1|new", "2|new"], returning: .whole)
    }

    @Test func `what is no constant, or nobody's, is refused`() {
        let schema = Schema(M.Wrong.self, M.Shape.self, M.Circle.self)
        let wrong = SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description)
        for text in [
            "Wrong.made: it is marked .serverDefault, and is a day or a moment, of which nobody can tell",
            "Wrong.day: it is marked .serverDefault, and is a day or a moment, of which nobody can tell",
            "Wrong.rate: it is marked .serverDefault, and its initializer has a number that does not fit: it takes 4 digits, 1 of them behind",
            "Wrong.id: it is marked .serverDefault, and its initializer is not the same constant each time",
            "Wrong.note: it is marked .serverDefault, and has no initializer that gives a value",
            "Wrong.shop: it is marked .serverDefault and .tenant",
            "Circle.radius: it is marked .serverDefault, and rows of all classes stand in the table of Shape: those of others would get it too",
        ] { #expect(wrong.contains { $0.contains(text) }, "\(text): \(wrong)") }
    }

    /// A class does not say whose its tables are, and the studio reads all as somebody else's.
    @Test func `in tables of others it is no obstacle, and opening says where a default is missing`() async throws {
        let classes: [any PersistentModel.Type] = [M.First.Parcel.self, M.First.Crate.self]
        _ = try FrozenSchema(freezing: Schema(classes), tables: .external)
        let mapping = StoreMapping(Schema(classes), tables: .external)
        try await Evolution([M.Plain.Parcel.self], classes).withDatabase { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            func advice() async throws -> [String] {
                try await database.onSession { session in
                    var verification = ExternalStoreVerification(mapping)
                    try await session.perform(&verification)
                    return try verification.verified().identity.advice
                }
            }
            #expect(try await advice() == [])
            try await database.execute("ALTER TABLE parcel ALTER state DROP DEFAULT, ALTER count SET DEFAULT 7")
            #expect(
                try await advice() == [
                    "column parcel.state has no default, and .serverDefault gives other programs one: ALTER TABLE … ALTER COLUMN "
                        + "state SET DEFAULT 'it''s new'::text"
                ])
        }
    }
}
