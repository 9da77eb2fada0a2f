import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// As ``KeyEvolutionTests``, with a key of several columns.
@Suite("Evolution: keys of several columns") struct PartKeyEvolutionTests {
    enum Plain {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Visit.trip) var visits: [Visit] = []
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(deleteRule: .deny, inverse: \Visit.guest) var visits: [Visit] = []
            init() {}
        }
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Trip
            var guest: Guest
            var name: String = ""
            var price: String = "0"
            init(_ trip: Trip, _ guest: Guest) {
                self.trip = trip
                self.guest = guest
            }
        }
    }
    enum Grown {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Visit.trip) var visits: [Visit] = []
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(deleteRule: .deny, inverse: \Visit.guest) var visits: [Visit] = []
            init() {}
        }
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            #Index<Visit>([\.title])
            @Relationship(column: "trip_id") var trip: Trip
            var guest: Guest
            @Attribute(originalName: "name") var title: String = ""
            var price: Int = 0
            var code: UUID = UUID()
            init(_ trip: Trip, _ guest: Guest) {
                self.trip = trip
                self.guest = guest
            }
        }
    }
    enum Turned {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Visit.trip) var visits: [Visit] = []
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(deleteRule: .deny, inverse: \Visit.guest) var visits: [Visit] = []
            init() {}
        }
        @Model final class Visit {
            #PrimaryKey<Visit>([\.guest, \.trip])
            var trip: Trip
            var guest: Guest
            var name: String = ""
            var price: String = "0"
            init(_ trip: Trip, _ guest: Guest) {
                self.trip = trip
                self.guest = guest
            }
        }
    }
    enum Given {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Visit.trip) var visits: [Visit] = []
            init() {}
        }
        @Model class Guest {
            @Attribute(.primaryKey) var code: String = ""
            @Relationship(deleteRule: .deny, inverse: \Visit.guest) var visits: [Visit] = []
            init() {}
        }
        @Model final class Visit {
            var trip: Trip
            var guest: Guest
            var name: String = ""
            var price: String = "0"
            init(_ trip: Trip, _ guest: Guest) {
                self.trip = trip
                self.guest = guest
            }
        }
    }

    enum Texts {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.hall, \.row])
            var hall: String
            var row: Int
            var price: String = "0"
            init(_ hall: String, _ row: Int) {
                self.hall = hall
                self.row = row
            }
        }
    }
    enum Prices {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.hall, \.row])
            var hall: String
            var row: Int
            var price: Int = 0
            init(_ hall: String, _ row: Int) {
                self.hall = hall
                self.row = row
            }
        }
    }

    static let plain: [any PersistentModel.Type] = [Plain.Trip.self, Plain.Guest.self, Plain.Visit.self]
    static let turned: [any PersistentModel.Type] = [Turned.Trip.self, Turned.Guest.self, Turned.Visit.self]
    static let given: [any PersistentModel.Type] = [Given.Trip.self, Given.Guest.self, Given.Visit.self]
    static func growing() throws -> Evolution {
        try Evolution(
            plain, [Grown.Trip.self, Grown.Guest.self, Grown.Visit.self],
            changes: [.converted(\Grown.Visit.price, using: "price::bigint")])
    }

    @Test func `a table with a key of several columns, from nothing`() throws {
        let script = try Evolution(Self.plain, Self.plain).scripts()[0]
        let text = script.steps.flatMap(\.statements).joined(separator: "\n")
        #expect(text.contains(#"PRIMARY KEY ("trip", "guest")"#), "\(text)")
        let again = try Evolution(Self.plain, Self.plain).scripts()[1].steps
            .filter { ![.recordVersion, .recordHistory].contains($0.operation) }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
    }

    @Test func `many rows are walked by the first column, and a part is renamed`() async throws {
        try await Self.growing().run(
            seed: [
                "INSERT INTO trip (pk, name) OVERRIDING SYSTEM VALUE SELECT n, 't' || n FROM generate_series(1, 7) AS n",
                "INSERT INTO guest (code) SELECT 'g' || n FROM generate_series(1, 4000) AS n",
                """
                INSERT INTO visit (trip, guest, name, price) SELECT t, 'g' || g, 'n' || g, g::text
                FROM generate_series(1, 7) AS t, generate_series(1, 4000) AS g
                """,
            ],
            expecting: """
                SELECT count(*)::text, sum(price)::text, count(DISTINCT code)::text, count(DISTINCT (trip_id, guest))::text,
                    count(title)::text FROM visit
                """,
            is: ["28000|56014000|28000|28000|28000"], returning: .asPlanned)
    }

    @Test func `another key is refused, with both`() throws {
        for (before, after, keys) in [
            (Self.plain, Self.turned, ["guest, trip", "trip, guest"]), (Self.plain, Self.given, ["pk", "trip, guest"]),
            (Self.given, Self.plain, ["trip, guest", "pk"]),
        ] {
            let error = #expect(throws: MigrationError.self) { try Evolution(before, after).scripts() }
            #expect(error?.code == .planRefused)
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(
                text.contains(
                    "The key of Visit is (\(keys[0])) in version 2.0.0, and that of Visit was (\(keys[1])) in 1.0.0"),
                "\(text)")
        }
    }

    @Test func `rows are not walked by a text that a key begins with`() throws {
        let evolution = try Evolution(
            [Texts.Visit.self], [Prices.Visit.self],
            changes: [.converted(\Prices.Visit.price, using: "price::bigint")])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.code == .planRefused)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(
            text.contains(
                "Rows of Visit would be changed in ranges of hall, the text that its key (hall, row) begins with"),
            "\(text)")
    }
}
