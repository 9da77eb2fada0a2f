import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// As ``PartKeyEvolutionTests``, with references to such a class: new ones, renamed ones, and those that go.
@Suite("Evolution: references to keys of several columns") struct ReferredPartEvolutionTests {
    enum Plain {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            #PrimaryKey<Note>([\.trip, \.number])
            var text: String = ""
            var trip: Int = 0
            var number: Int = 0
            init() {}
        }
    }
    /// An optional reference by columns of its own, one that shares a column, a list without an inverse, and a class that has to have one.
    enum Grown {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            @Relationship(inverse: nil) var notes: [Note] = []
            @Relationship(deleteRule: .cascade, inverse: \Bill.visit) var bills: [Bill] = []
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            #PrimaryKey<Note>([\.trip, \.number])
            var text: String = ""
            var trip: Int = 0
            var number: Int = 0
            @Relationship(inverse: nil) var visit: Visit?
            @Relationship(columns: ["trip", "other_guest"], inverse: nil) var other: Visit?
            init() {}
        }
        @Model final class Bill {
            var price: Int = 0
            var visit: Visit
            init(_ visit: Visit) { self.visit = visit }
        }
    }
    enum Renamed {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            @Relationship(inverse: nil) var remarks: [Note] = []
            @Relationship(deleteRule: .cascade, inverse: \Bill.stay) var bills: [Bill] = []
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            #PrimaryKey<Note>([\.trip, \.number])
            var text: String = ""
            var trip: Int = 0
            var number: Int = 0
            @Relationship(columns: ["visit_trip", "visited_guest"], inverse: nil) var visit: Visit?
            init() {}
        }
        @Model final class Bill {
            var price: Int = 0
            @Relationship(originalName: "visit") var stay: Visit
            init(_ stay: Visit) { self.stay = stay }
        }
    }

    static let plain: [any PersistentModel.Type] = [Plain.Visit.self, Plain.Note.self]
    static let grown: [any PersistentModel.Type] = [Grown.Visit.self, Grown.Note.self, Grown.Bill.self]
    static let renamed: [any PersistentModel.Type] = [Renamed.Visit.self, Renamed.Note.self, Renamed.Bill.self]
    private static let seed = [
        "INSERT INTO visit (trip, guest) SELECT t, g FROM generate_series(1, 3) AS t, generate_series(1, 4) AS g",
        "INSERT INTO note (number, text, trip) SELECT n, 't' || n, n FROM generate_series(1, 3) AS n",
    ]

    @Test func `from nothing`() throws {
        let evolution = try Evolution(Self.grown, Self.grown)
        let text = try evolution.scripts()[0].steps.flatMap(\.statements).joined(separator: "\n")
        #expect(
            text.contains(
                #"FOREIGN KEY ("visit_trip", "visit_guest") REFERENCES "public"."visit" ("trip", "guest") ON DELETE CASCADE"#
            ),
            "\(text)")
        #expect(
            text.contains(
                #"FOREIGN KEY ("trip", "other_guest") REFERENCES "public"."visit" ("trip", "guest") ON DELETE SET NULL ("other_guest")"#
            ),
            "\(text)")
        #expect(text.contains(#"CHECK (("visit_trip" IS NULL) = ("visit_guest" IS NULL))"#), "\(text)")
        let again = try evolution.scripts()[1].steps.filter {
            ![.recordVersion, .recordHistory].contains($0.operation)
        }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
    }

    @Test func `references come to classes with rows`() async throws {
        try await Evolution(Self.plain, Self.grown).run(
            seed: Self.seed,
            expecting:
                "SELECT count(*)::text, count(visit_trip)::text, count(other_guest)::text, count(visit_notes_trip)::text FROM note",
            is: ["3|0|0|0"], returning: .asPlanned)
    }

    @Test func `columns are renamed, with the references in them, and a reference is dropped`() async throws {
        try await Evolution(
            Self.grown, Self.renamed,
            changes: [.dropped(\Grown.Note.other), .renamed(\Grown.Visit.notes, to: \Renamed.Visit.remarks)]
        ).run(
            seed: Self.seed + [
                "UPDATE note SET visit_trip = 2, visit_guest = number, other_guest = 1, visit_notes_trip = 3, visit_notes_guest = number",
                "INSERT INTO bill (pk, price, visit_trip, visit_guest) OVERRIDING SYSTEM VALUE SELECT g, 10, 3, g FROM generate_series(1, 4) AS g",
            ],
            expecting: """
                SELECT concat_ws(' ', n.number, n.visit_trip, n.visited_guest, n.visit_remarks_trip, n.visit_remarks_guest), b.stay_trip || ' ' || b.stay_guest
                FROM note AS n JOIN bill AS b ON b.pk = n.number ORDER BY n.number
                """,
            is: ["1 2 1 3 1|3 1", "2 2 2 3 2|3 2", "3 2 3 3 3|3 3"], returning: .asPlanned)
    }

    enum Shared {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            #PrimaryKey<Note>([\.trip, \.number])
            var text: String = ""
            var trip: Int = 0
            var number: Int = 0
            @Relationship(columns: ["trip", "visit_guest"], inverse: nil) var visit: Visit?
            init() {}
        }
    }

    /// A column that gets another writer would lose what it has.
    @Test func `a reference keeps the columns that are its own`() throws {
        let shared: [any PersistentModel.Type] = [Shared.Visit.self, Shared.Note.self]
        for (before, after) in [(Self.grown, shared), (shared, Self.grown)] {
            let error = #expect(throws: MigrationError.self) {
                try Evolution(
                    before, after,
                    changes: before.count > 2
                        ? [.dropped(\Grown.Note.other), .dropped(\Grown.Visit.notes), .dropped(Grown.Bill.self)] : []
                )
                .scripts()
            }
            #expect(error?.code == .planRefused)
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(
                text.contains("Note.visit has the columns") && text.contains("others are another property's"), "\(text)"
            )
        }
    }

    @Test func `what is frozen is read again`() throws {
        let frozen = try FrozenSchema(freezing: Schema(Self.grown, version: .init(1, 0, 0)))
        let note = try #require(frozen.entity(named: "Note"))
        #expect(note.relationships.map(\.columns) == [["visit_trip", "visit_guest"], ["trip", "other_guest"]])
        let again = try JSONDecoder().decode(FrozenSchema.self, from: JSONEncoder().encode(frozen))
        #expect(again == frozen)
        #expect(note.relationships.map(\.owned) == [["visit_trip", "visit_guest"], ["other_guest"]])
    }
}
