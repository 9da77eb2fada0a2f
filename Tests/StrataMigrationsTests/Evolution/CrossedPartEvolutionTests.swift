import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// Many-to-many relationships of a class whose key has several columns: new ones, renamed ones, and those that go.
@Suite("Evolution: pairs of keys of several columns") struct CrossedPartEvolutionTests {
    enum Plain {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            var text: String = ""
            init() {}
        }
    }
    enum Grown {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            @Relationship(inverse: \Note.visits) var notes: [Note] = []
            @Relationship(inverse: \Visit.before) var after: [Visit] = []
            var before: [Visit] = []
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            var text: String = ""
            var visits: [Visit] = []
            init() {}
        }
    }
    /// Both ends are renamed, which gives table and columns other names; one end has an order and a limit now.
    enum Renamed {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.person])
            var trip: Int
            @Attribute(originalName: "guest") var person: Int
            @Relationship(.ordered, maximumModelCount: 4, originalName: "notes", inverse: \Note.about)
            var remarks: [Note] = []
            init(_ trip: Int, _ person: Int) { (self.trip, self.person) = (trip, person) }
        }
        @Model final class Note {
            var text: String = ""
            @Relationship(originalName: "visits") var about: [Visit] = []
            init() {}
        }
    }
    enum One {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            @Relationship(inverse: \Note.visits) var notes: [Note] = []
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            var text: String = ""
            var visits: Visit?
            init() {}
        }
    }

    static let plain: [any PersistentModel.Type] = [Plain.Visit.self, Plain.Note.self]
    static let grown: [any PersistentModel.Type] = [Grown.Visit.self, Grown.Note.self]
    static let renamed: [any PersistentModel.Type] = [Renamed.Visit.self, Renamed.Note.self]
    private static let seed = [
        "INSERT INTO visit (trip, guest) SELECT t, g FROM generate_series(1, 3) AS t, generate_series(1, 4) AS g",
        "INSERT INTO note (pk, text) OVERRIDING SYSTEM VALUE SELECT n, 't' || n FROM generate_series(1, 3) AS n",
    ]

    @Test func `from nothing`() throws {
        let evolution = try Evolution(Self.grown, Self.grown)
        let text = try evolution.scripts()[0].steps.flatMap(\.statements).joined(separator: "\n")
        for part in [
            #"PRIMARY KEY ("note_pk", "visit_trip", "visit_guest")"#,
            #"FOREIGN KEY ("visit_trip", "visit_guest") REFERENCES "public"."visit" ("trip", "guest") ON DELETE CASCADE"#,
            #"PRIMARY KEY ("before_trip", "before_guest", "after_trip", "after_guest")"#,
        ] { #expect(text.contains(part), "\(text)") }
        let again = try evolution.scripts()[1].steps.filter {
            ![.recordVersion, .recordHistory].contains($0.operation)
        }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
    }

    @Test func `pairs come to classes with rows`() async throws {
        try await Evolution(Self.plain, Self.grown).run(
            seed: Self.seed, expecting: "SELECT count(*)::text FROM note_visits", is: ["0"], returning: .asPlanned)
    }

    @Test func `table and columns are renamed, and what goes is said`() async throws {
        try await Evolution(
            Self.grown, Self.renamed, changes: [.dropped(\Grown.Visit.after), .dropped(\Grown.Visit.before)]
        ).run(
            seed: Self.seed + [
                "INSERT INTO note_visits (note_pk, visit_trip, visit_guest) SELECT n, n, n + 1 FROM generate_series(1, 3) AS n",
                "INSERT INTO visit_after (before_trip, before_guest, after_trip, after_guest) VALUES (1, 1, 2, 2)",
            ],
            expecting:
                "SELECT concat_ws(' ', note_pk, visit_trip, visit_person, remarks_position) FROM note_about ORDER BY 1",
            is: ["1 1 2", "2 2 3", "3 3 4"], returning: .asPlanned)
    }

    enum Turned {
        @Model final class Visit {
            #PrimaryKey<Visit>([\.trip, \.guest])
            var trip: Int
            var guest: Int
            @Relationship(inverse: \Note.visits) var notes: [Note] = []
            @Relationship(originalName: "after", inverse: \Visit.before) var zeta: [Visit] = []
            var before: [Visit] = []
            init(_ trip: Int, _ guest: Int) { (self.trip, self.guest) = (trip, guest) }
        }
        @Model final class Note {
            var text: String = ""
            var visits: [Visit] = []
            init() {}
        }
    }

    /// The end that is first by name names the table and has the first columns.
    @Test func `sides that change places keep who is related to whom`() async throws {
        let turned: [any PersistentModel.Type] = [Turned.Visit.self, Turned.Note.self]
        try await Evolution(Self.grown, turned).run(
            seed: Self.seed + [
                "INSERT INTO visit_after (before_trip, before_guest, after_trip, after_guest) VALUES (1, 1, 2, 3), (1, 1, 3, 2), (2, 3, 1, 1)"
            ],
            expecting:
                "SELECT concat_ws(' ', before_trip, before_guest, zeta_trip, zeta_guest) FROM visit_before ORDER BY 1",
            is: ["1 1 2 3", "1 1 3 2", "2 3 1 1"], returning: .asPlanned)
    }

    /// By the first column alone the two visits of a trip would have five notes together.
    @Test func `a limit counts the notes of a visit, and not those of its trip`() async throws {
        let fitting =
            Self.seed + [
                "INSERT INTO note (pk, text) OVERRIDING SYSTEM VALUE SELECT n, 't' || n FROM generate_series(4, 5) AS n",
                "INSERT INTO note_visits (note_pk, visit_trip, visit_guest) SELECT n, 1, CASE WHEN n < 4 THEN 1 ELSE 2 END FROM generate_series(1, 5) AS n",
            ]
        func evolution() throws -> Evolution {
            try Evolution(
                Self.grown, Self.renamed, changes: [.dropped(\Grown.Visit.after), .dropped(\Grown.Visit.before)])
        }
        try await evolution().run(
            seed: fitting,
            expecting:
                "SELECT visit_trip || ' ' || visit_person || ' ' || count(*) FROM note_about GROUP BY visit_trip, visit_person ORDER BY 1",
            is: ["1 1 3", "1 2 2"], returning: .asPlanned)
        try await evolution().refuse(
            seed: fitting + ["UPDATE note_visits SET visit_guest = 1"], naming: "M404")
    }

    @Test func `pairs that become references are refused`() throws {
        let one: [any PersistentModel.Type] = [One.Visit.self, One.Note.self]
        for (before, after) in [(Self.grown, one), (one, Self.grown)] {
            let error = #expect(throws: MigrationError.self) {
                try Evolution(
                    before, after,
                    changes: before.count == 2 && before[0] == Grown.Visit.self
                        ? [.dropped(\Grown.Visit.after), .dropped(\Grown.Visit.before)] : []
                ).scripts()
            }
            #expect(error?.code == .planRefused)
            #expect("\(error.map { "\($0)" } ?? "")".contains("comes from another table, or goes into one"))
        }
    }

    @Test func `what is frozen is read again`() throws {
        let frozen = try FrozenSchema(freezing: Schema(Self.grown, version: .init(1, 0, 0)))
        let visit = try #require(frozen.entity(named: "Visit"))
        #expect(visit.relationship("notes")?.columns == ["visit_trip", "visit_guest"])
        #expect(visit.relationship("notes")?.otherColumns == nil)
        #expect(frozen.entity(named: "Note")?.relationship("visits")?.otherColumns == ["visit_trip", "visit_guest"])
        let again = try JSONDecoder().decode(FrozenSchema.self, from: JSONEncoder().encode(frozen))
        #expect(again == frozen)
    }
}
