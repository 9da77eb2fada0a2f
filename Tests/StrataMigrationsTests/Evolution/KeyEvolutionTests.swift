import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// Classes with keys that they declare: rows keep them, and their kind does not change.
@Suite("Evolution: keys") struct KeyEvolutionTests {
    enum Plain {
        @Model class Trip {
            @Attribute(.primaryKey) var id: UUID = UUID()
            var name: String = ""
            var price: String = "0"
            var perdiem: Double?
            var guest: Guest?
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var number: Int = 1
            @Relationship(inverse: \Trip.guest) var trips: [Trip] = []
            init() {}
        }
    }
    enum Grown {
        @Model class Trip {
            #Index<Trip>([\.title])
            @Attribute(.primaryKey, column: "trip_id") var id: UUID = UUID()
            @Attribute(originalName: "name") var title: String = ""
            var price: Int = 0
            var code: UUID = UUID()
            @Relationship(originalName: "guest") var guests: [Guest] = []
            init() {}
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
        }
        @Model class Guest {
            @Attribute(.primaryKey) var number: Int = 1
            @Relationship(inverse: \Trip.guests) var trips: [Trip] = []
            init() {}
        }
    }
    enum Numbered {
        @Model class Trip {
            var name: String = ""
            var price: String = "0"
            var perdiem: Double?
            var guest: Guest?
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var number: Int = 1
            @Relationship(inverse: \Trip.guest) var trips: [Trip] = []
            init() {}
        }
    }
    enum Given {
        @Model class Trip {
            @Attribute(.primaryKey) var id: UUID = UUID()
            var name: String = ""
            var price: String = "0"
            var perdiem: Double?
            var guest: Guest?
            init() {}
        }
        @Model class Guest {
            var number: Int = 1
            @Relationship(inverse: \Trip.guest) var trips: [Trip] = []
            init() {}
        }
    }
    enum Moved {
        @Model class Trip {
            @Attribute(.primaryKey) var id: UUID = UUID()
            var name: String = ""
            var price: String = "0"
            var perdiem: Double?
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var number: Int = 1
            init() {}
        }
    }

    enum Referring {
        @Model class Trip {
            @Attribute(.primaryKey) var id: UUID = UUID()
            var name: String = ""
            var before: Trip?
            @Relationship(inverse: \Trip.before) var after: [Trip] = []
            init() {}
        }
    }
    enum Renamed {
        @Model class Trip {
            @Attribute(.primaryKey) var id: UUID = UUID()
            var name: String = ""
            @Relationship(originalName: "before") var earlier: Trip?
            @Relationship(originalName: "after", inverse: \Trip.earlier) var later: [Trip] = []
            init() {}
        }
    }

    static let plain: [any PersistentModel.Type] = [Plain.Trip.self, Plain.Guest.self]
    static func growing() throws -> Evolution {
        try Evolution(
            plain, [Grown.Trip.self, Grown.BusinessTrip.self, Grown.Guest.self],
            changes: [
                .split(Grown.BusinessTrip.self, where: "perdiem IS NOT NULL"),
                .converted(\Grown.Trip.price, using: "price::bigint"),
            ])
    }
    private static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }
    static let rows = [
        "INSERT INTO guest (number) VALUES (1), (2)",
        """
        INSERT INTO trip (id, name, price, perdiem, guest) VALUES ('\(id(1))', 'Rome', '7', NULL, 1),
            ('\(id(2))', 'Oslo', '8', 12.5, 2), ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'End', '9', NULL, NULL)
        """,
    ]

    @Test func `a table with a declared key, from nothing`() throws {
        let script = try Evolution(Self.plain, Self.plain).scripts()[0]
        let text = script.steps.flatMap(\.statements).joined(separator: "\n")
        for part in [
            #""id" uuid NOT NULL"#, #""guest" bigint"#, #""number" bigint NOT NULL"#,
            #"PRIMARY KEY ("id")"#, #"PRIMARY KEY ("number")"#,
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
        #expect(!text.contains("IDENTITY"), "\(text)")
        #expect(
            try Evolution(Self.plain, Self.plain).scripts()[1].steps
                .filter { ![.recordVersion, .recordHistory].contains($0.operation) }.map(\.title) == [])
    }

    @Test func `a key is renamed, properties come and change, rows are split off and references become pairs`()
        async throws
    {
        try await Self.growing().run(
            seed: Self.rows,
            expecting: """
                SELECT right(t.trip_id::text, 1) AS id, t.class, t.title, t.price, b.perdiem, (t.code IS NOT NULL) AS code,
                    (SELECT string_agg(g.guest_number::text, ',') FROM guest_trips g WHERE g.trip_trip_id = t.trip_id) AS g
                FROM trip t LEFT JOIN business_trip b USING (trip_id) ORDER BY t.trip_id
                """,
            is: ["1|Trip|Rome|7|nil|true|1", "2|BusinessTrip|Oslo|8|12.5|true|2", "f|Trip|End|9|nil|true|nil"],
            returning: .asPlanned)
    }

    @Test func `a reference to UUIDs goes on as it is, and may be renamed`() async throws {
        let again = try Evolution([Referring.Trip.self], [Referring.Trip.self]).scripts()[1].steps
            .filter { ![.recordVersion, .recordHistory].contains($0.operation) }
        #expect(again.map(\.title) == [])
        try await Evolution([Referring.Trip.self], [Renamed.Trip.self]).run(
            seed: [
                """
                INSERT INTO trip (id, name, before) VALUES ('\(Self.id(1))', 'a', NULL), ('\(Self.id(2))', 'b', '\(Self.id(1))')
                """
            ],
            expecting: "SELECT t.name || e.name FROM trip AS t JOIN trip AS e ON e.id = t.earlier", is: ["ba"],
            returning: .asPlanned)
    }

    @Test func `subclasses are merged again`() async throws {
        try await Evolution(
            [Grown.Trip.self, Grown.BusinessTrip.self, Grown.Guest.self], [Grown.Trip.self, Grown.Guest.self],
            changes: [.merged(Grown.BusinessTrip.self, into: Grown.Trip.self), .dropped(\Grown.BusinessTrip.perdiem)]
        ).run(
            seed: [
                "INSERT INTO trip (trip_id, class, title, price, code) VALUES ('\(Self.id(1))', 'BusinessTrip', 'a', 1, '\(Self.id(3))')",
                "INSERT INTO business_trip (trip_id, perdiem) VALUES ('\(Self.id(1))', 2)",
            ],
            expecting: "SELECT title FROM trip", is: ["a"], returning: .asPlanned)
    }

    @Test func `another kind of key is refused, with the class and both kinds`() throws {
        let declared = "bigint, which a property has"
        for (before, after, name, kinds) in [
            (Self.plain, [Numbered.Trip.self, Numbered.Guest.self], "Trip", ["bigint", "uuid"]),
            ([Numbered.Trip.self, Numbered.Guest.self], Self.plain, "Trip", ["uuid", "bigint"]),
            // The values of the property are not those of the keys before.
            ([Given.Trip.self, Given.Guest.self], Self.plain, "Guest", [declared, "bigint"]),
            (Self.plain, [Given.Trip.self, Given.Guest.self], "Guest", ["bigint", declared]),
        ] as [([any PersistentModel.Type], [any PersistentModel.Type], String, [String])] {
            let error = #expect(throws: MigrationError.self) { try Evolution(before, after).scripts() }
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(error?.code == .planRefused)
            #expect(
                text.contains(
                    "\(name) has keys of the type \(kinds[0]) in version 2.0.0, and \(name) had keys of the type \(kinds[1]) in 1.0.0"
                ),
                "\(text)")
        }
    }
}
