import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// Hierarchies whose key has several columns: subclasses that come, change and go, in tables of their own and in one.
@Suite("Evolution: subclasses of keys of several columns") struct PartHierarchyEvolutionTests {
    enum Plain {
        @Model class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
    }
    enum Grown {
        @Model class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model class Stay: Visit {
            var nights: Int = 1
        }
        @Model final class LongStay: Stay {
            var flat: String = "a"
        }
    }
    /// A part has another column, a subclass a new required property and another name for one, and the last class is gone.
    enum Changed {
        @Model class Visit {
            #PrimaryKey<Visit>([\.trip, \.person])
            var trip: Int
            @Attribute(originalName: "guest") var person: Int
            init(_ trip: Int, _ person: Int) { (self.trip, self.person) = (trip, person) }
        }
        @Model class Stay: Visit {
            @Attribute(originalName: "nights") var days: Int = 1
            var rate: Int = 7
        }
    }
    /// The last class is no stay any more.
    enum Moved {
        @Model class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model class Stay: Visit {
            var nights: Int = 1
        }
        @Model final class LongStay: Visit {
            var flat: String = "a"
        }
    }
    enum Raised {
        @Model class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            var nights: Int = 1
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model class Stay: Visit {
            init() { super.init(0, 0) }
        }
        @Model final class LongStay: Stay {
            var flat: String = "a"
        }
    }
    enum Single {
        @Model(inheritance: .singleTable) class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model class Stay: Visit {
            var nights: Int = 1
        }
    }
    enum SingleRaised {
        @Model(inheritance: .singleTable) class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            var nights: Int = 1
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model class Stay: Visit {
            var flat: String = "b"
        }
    }

    static let plain: [any PersistentModel.Type] = [Plain.Visit.self]
    static let grown: [any PersistentModel.Type] = [Grown.Visit.self, Grown.Stay.self, Grown.LongStay.self]
    static let changed: [any PersistentModel.Type] = [Changed.Visit.self, Changed.Stay.self]
    static let raised: [any PersistentModel.Type] = [Raised.Visit.self, Raised.Stay.self, Raised.LongStay.self]
    private static let visits =
        "INSERT INTO visit (trip, guest) SELECT t, g FROM generate_series(1, 3) AS t, generate_series(1, 4) AS g"

    @Test func `from nothing`() throws {
        let evolution = try Evolution(Self.grown, Self.grown)
        let text = try evolution.scripts()[0].steps.flatMap(\.statements).joined(separator: "\n")
        for part in [
            #"FOREIGN KEY ("trip", "guest") REFERENCES "public"."visit" ("trip", "guest") ON DELETE CASCADE"#,
            #"FOREIGN KEY ("trip", "guest") REFERENCES "public"."stay" ("trip", "guest") ON DELETE CASCADE"#,
        ] { #expect(text.contains(part), "\(text)") }
        let again = try evolution.scripts()[1].steps.filter {
            ![.recordVersion, .recordHistory].contains($0.operation)
        }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
    }

    @Test func `subclasses come to a class with rows`() async throws {
        try await Evolution(Self.plain, Self.grown).run(
            seed: [Self.visits],
            expecting: "SELECT count(*)::text, min(class), (SELECT count(*)::text FROM long_stay) FROM visit",
            is: ["12|Visit|0"], returning: .asPlanned)
    }

    @Test func `parts and properties are renamed, one is added, and a subclass goes`() async throws {
        try await Evolution(Self.grown, Self.changed, changes: [.dropped(Grown.LongStay.self)]).run(
            seed: [
                Self.visits, "UPDATE visit SET class = 'Stay' WHERE guest > 2",
                "INSERT INTO stay (trip, guest, nights) SELECT trip, guest, trip * 10 + guest FROM visit WHERE guest > 2",
                "UPDATE visit SET class = 'LongStay' WHERE guest = 4",
                "INSERT INTO long_stay (trip, guest, flat) SELECT trip, guest, 'x' FROM visit WHERE guest = 4",
            ],
            expecting:
                "SELECT v.trip || ' ' || v.person || ' ' || v.class, s.days || ' ' || s.rate FROM visit v JOIN stay s USING (trip, person) ORDER BY 1",
            is: ["1 3 Stay|13 7", "2 3 Stay|23 7", "3 3 Stay|33 7"], returning: .asPlanned)
    }

    @Test func `values of another table that would be lost are asked for by all columns of the key`() async throws {
        try await Evolution(Self.grown, [Moved.Visit.self, Moved.Stay.self, Moved.LongStay.self]).refuse(
            seed: [
                Self.visits, "UPDATE visit SET class = 'LongStay' WHERE guest = 4",
                "INSERT INTO stay (trip, guest, nights) SELECT trip, guest, 2 FROM visit WHERE guest = 4",
                "INSERT INTO long_stay (trip, guest, flat) SELECT trip, guest, 'x' FROM visit WHERE guest = 4",
            ], naming: "Stay.nights: rows of LongStay would lose their value")
    }

    @Test func `drift looks at the rows of all columns of the key`() async throws {
        let evolution = try Evolution(Self.plain, Self.grown)
        try await evolution.withDatabase(seed: [Self.visits]) { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            try await database.execute(
                "UPDATE visit SET class = 'Stay' WHERE guest > 2",
                "INSERT INTO stay (trip, guest, nights) SELECT trip, guest, 1 FROM visit WHERE guest IN (1, 3) AND trip = 1"
            )
            try await database.onSession { session in
                let found = try await CatalogInspection.read(schemaName: "public", connection: session)
                let inspection = try await blocking {
                    try ClassRowInspection(
                        evolution.after, schemaName: "public", found: found.definition, limit: 60_000, on: session)
                }
                #expect(
                    inspection.lines == [
                        "~ rows of visit: 5 are of class Stay, and have no row in stay: trip, guest [1, 4], [2, 3], [2, 4], …",
                        "~ rows of visit: 1 is of class Visit, and has a row in stay: trip, guest [1, 1]",
                    ])
                #expect(inspection.unread == [])
            }
        }
    }

    @Test func `a property that goes to another table is refused, and in one table it stays where it is`() async throws
    {
        let error = #expect(throws: MigrationError.self) { try Evolution(Self.grown, Self.raised).scripts() }
        #expect(error?.code == .planRefused)
        #expect(
            "\(error.map { "\($0)" } ?? "")".contains(
                "visit.nights comes from another table, or goes into one, and rows with a key of several columns are not found there."
            ),
            "\(String(describing: error))")
        let single: [any PersistentModel.Type] = [Single.Visit.self, Single.Stay.self]
        let raised: [any PersistentModel.Type] = [SingleRaised.Visit.self, SingleRaised.Stay.self]
        try await Evolution(single, raised).run(
            seed: [
                Self.visits, "UPDATE visit SET class = 'Stay', nights = guest WHERE guest > 2",
            ],
            expecting:
                "SELECT guest || ' ' || class || ' ' || nights || ' ' || coalesce(flat, '-') FROM visit WHERE trip = 1 ORDER BY 1",
            is: ["1 Visit 1 -", "2 Visit 1 -", "3 Stay 3 b", "4 Stay 4 b"],
            returning: .changed(
                note:
                    "going back, Stay.nights keeps what it is filled with in rows of other classes, where nobody sees it"
            ))
    }
}
