import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// As ``KeyEvolutionTests``, with keys that are texts.
@Suite("Evolution: keys of text") struct TextKeyEvolutionTests {
    enum Plain {
        @Model class Trip {
            @Attribute(.primaryKey) var id: String = ""
            var name: String = ""
            var price: String = "0"
            var perdiem: Double?
            var guest: Guest?
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(inverse: \Trip.guest) var trips: [Trip] = []
            init() {}
        }
    }
    enum Grown {
        @Model class Trip {
            #Index<Trip>([\.title])
            @Attribute(.primaryKey, column: "trip_id") var id: String = ""
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
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(inverse: \Trip.guests) var trips: [Trip] = []
            init() {}
        }
    }
    enum Numbered {
        @Model class Trip {
            @Attribute(.primaryKey) var id: Int = 1
            var name: String = ""
            var price: String = "0"
            var perdiem: Double?
            var guest: Guest?
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(inverse: \Trip.guest) var trips: [Trip] = []
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
    static let rows = [
        "INSERT INTO guest (code) VALUES (''), ('O''Neil \\ %')",
        """
        INSERT INTO trip (id, name, price, perdiem, guest) VALUES ('', 'Rome', '7', NULL, ''),
            ('17', 'Oslo', '8', 12.5, 'O''Neil \\ %'), ('\u{10FFFF} and more than fits', 'End', '9', NULL, NULL)
        """,
    ]

    @Test func `a table with keys of text, from nothing`() throws {
        let script = try Evolution(Self.plain, Self.plain).scripts()[0]
        let text = script.steps.flatMap(\.statements).joined(separator: "\n")
        for part in [
            #""id" text COLLATE "C" NOT NULL"#, #""guest" text COLLATE "C""#, #"PRIMARY KEY ("id")"#,
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
        let again = try Evolution(Self.plain, Self.plain).scripts()[1].steps
            .filter { ![.recordVersion, .recordHistory].contains($0.operation) }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
    }

    @Test func `a key is renamed, properties come and change, rows are split off and references become pairs`()
        async throws
    {
        try await Self.growing().run(
            seed: Self.rows,
            expecting: """
                SELECT left(t.trip_id, 3) AS id, t.class, t.title, t.price, b.perdiem, (t.code IS NOT NULL) AS code,
                    (SELECT string_agg('<' || g.guest_code || '>', ',') FROM guest_trips g WHERE g.trip_trip_id = t.trip_id) AS g
                FROM trip t LEFT JOIN business_trip b USING (trip_id) ORDER BY t.trip_id
                """,
            is: [
                "|Trip|Rome|7|nil|true|<>", "17|BusinessTrip|Oslo|8|12.5|true|<O'Neil \\ %>",
                "\u{10FFFF} a|Trip|End|9|nil|true|nil",
            ],
            returning: .asPlanned)
    }

    @Test func `many rows are walked in ranges, in the order of their column`() async throws {
        try await Self.growing().run(
            seed: [
                "INSERT INTO guest (code) VALUES ('g')",
                """
                INSERT INTO trip (id, name, price, guest)
                SELECT (ARRAY['', 'é', '_', 'Z', 'z '])[n % 5 + 1] || n, 'n' || n, n::text, 'g' FROM generate_series(1, 25000) AS n
                """,
            ],
            expecting: """
                SELECT count(*)::text, sum(price)::text, count(DISTINCT code)::text, (SELECT count(*)::text FROM guest_trips)
                FROM trip
                """,
            is: ["25000|312512500|25000|25000"], returning: .asPlanned)
    }

    @Test func `another kind of key is refused, with the class and both kinds`() throws {
        let numbered: [any PersistentModel.Type] = [Numbered.Trip.self, Numbered.Guest.self]
        for (before, after, kinds) in [
            (Self.plain, numbered, ["bigint, which a property has", "text"]),
            (numbered, Self.plain, ["text", "bigint, which a property has"]),
        ] {
            let error = #expect(throws: MigrationError.self) { try Evolution(before, after).scripts() }
            #expect(error?.code == .planRefused)
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(
                text.contains(
                    "Trip has keys of the type \(kinds[0]) in version 2.0.0, and Trip had keys of the type \(kinds[1])"),
                "\(text)")
        }
    }
}
