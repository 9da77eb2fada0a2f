import Foundation
import StrataClient
import StrataMigrations
import StrataModels
import StrataTestSupport
import Testing

/// Rows are told apart by the names of their classes: what happens when these names go from one class to another.
@Suite("Evolution: names of classes") struct ClassNameEvolutionTests {
    enum Before {
        @Model class Trip {
            var name: String = ""
            var note: String?
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Trip { var purpose: String? }
    }
    enum Shifted {
        @Model class Trip {
            var name: String = ""
            var note: String?
            init() {}
        }
        @Model class Work: Trip { var cost: Int? }
        @Model class Talk: Trip { var purpose: String? }
    }
    enum Swapped {
        @Model class Trip {
            var name: String = ""
            var note: String?
            init() {}
        }
        @Model class Work: Trip { var cost: Int? }
        @Model class Paid: Trip { var purpose: String? }
    }
    enum Taken {
        @Model class Trip {
            var name: String = ""
            var note: String?
            init() {}
        }
        @Model class Work: Trip { var cost: Int? }
    }
    enum Noted {
        @Model class Journey {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Journey { var cost: Int? }
        @Model class Work: Journey { var purpose: String? }
        @Model class Noted: Journey { var note: String? }
    }
    enum Deep {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Paid { var purpose: String? }
    }
    enum Lifted {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Job: Trip { var purpose: String? }
    }

    private static let before: [any PersistentModel.Type] = [Before.Trip.self, Before.Paid.self, Before.Work.self]
    private static let rows = [
        "INSERT INTO trip (pk, class, name, note) VALUES (1, 'Trip', 'a', 'n'), (2, 'Paid', 'b', NULL), (3, 'Work', 'c', NULL), (4, 'Trip', 'd', NULL)",
        "INSERT INTO paid (pk, cost) VALUES (2, 20)", "INSERT INTO work (pk, purpose) VALUES (3, 'p3')",
    ]

    @Test func `a class takes the name that another gives up`() async throws {
        try await Evolution(
            Self.before, [Shifted.Trip.self, Shifted.Work.self, Shifted.Talk.self],
            changes: [
                .renamed(Before.Paid.self, to: Shifted.Work.self), .renamed(Before.Work.self, to: Shifted.Talk.self),
            ]
        ).run(
            seed: Self.rows,
            expecting: """
                SELECT t.pk, t.class AS kind, w.cost, k.purpose FROM trip t LEFT JOIN work w USING (pk)
                LEFT JOIN talk k USING (pk) ORDER BY 1
                """,
            is: ["1|Trip|nil|nil", "2|Work|20|nil", "3|Talk|nil|p3", "4|Trip|nil|nil"], returning: .whole)
    }

    @Test func `two classes that swap their names are refused when the stage is planned`() throws {
        let evolution = try Evolution(
            Self.before, [Swapped.Trip.self, Swapped.Work.self, Swapped.Paid.self],
            changes: [
                .renamed(Before.Paid.self, to: Swapped.Work.self), .renamed(Before.Work.self, to: Swapped.Paid.self),
            ])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message == "The classes Paid, Work take each other's names, and rows are told apart by them.")
        #expect(error?.places == ["Paid → Work", "Work → Paid"])
    }

    @Test func `a class that takes the name of a dropped one is refused when the stage is planned`() throws {
        let evolution = try Evolution(
            Self.before, [Taken.Trip.self, Taken.Work.self],
            changes: [.dropped(Before.Work.self), .renamed(Before.Paid.self, to: Taken.Work.self)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message == "Work leaves its hierarchy, and another class takes its name in the same stage.")
    }

    @Test func `two changes that rename one class are refused`() throws {
        let evolution = try Evolution(
            Self.before, [Shifted.Trip.self, Shifted.Work.self, Shifted.Talk.self],
            changes: [
                .renamed(Before.Paid.self, to: Shifted.Work.self), .renamed(Before.Paid.self, to: Shifted.Talk.self),
            ])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.hasPrefix("Two changes rename Paid") == true)
    }

    @Test func `rows are split off a class that is renamed`() async throws {
        try await Evolution(
            Self.before, [Noted.Journey.self, Noted.Paid.self, Noted.Work.self, Noted.Noted.self],
            changes: [
                .renamed(Before.Trip.self, to: Noted.Journey.self), .split(Noted.Noted.self, where: "note IS NOT NULL"),
            ]
        ).run(
            seed: Self.rows,
            expecting: """
                SELECT t.pk, t.class AS kind, p.cost, n.note FROM journey t LEFT JOIN paid p USING (pk)
                LEFT JOIN noted n USING (pk) ORDER BY 1
                """,
            is: ["1|Noted|nil|n", "2|Paid|20|nil", "3|Work|nil|nil", "4|Journey|nil|nil"], returning: .whole)
    }

    @Test func `a class is renamed and leaves its superclass`() async throws {
        try await Evolution(
            [Deep.Trip.self, Deep.Paid.self, Deep.Work.self], [Lifted.Trip.self, Lifted.Paid.self, Lifted.Job.self],
            changes: [.renamed(Deep.Work.self, to: Lifted.Job.self)]
        ).run(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (2, 'Paid', 'b'), (3, 'Work', 'c')",
                "INSERT INTO paid (pk, cost) VALUES (2, 20), (3, NULL)",
                "INSERT INTO work (pk, purpose) VALUES (3, 'p3')",
            ],
            expecting: """
                SELECT t.pk, t.class AS kind, p.pk AS paid, j.purpose FROM trip t LEFT JOIN paid p USING (pk)
                LEFT JOIN job j USING (pk) ORDER BY 1
                """,
            is: ["2|Paid|2|nil", "3|Job|nil|p3"], returning: .whole)
    }
}
