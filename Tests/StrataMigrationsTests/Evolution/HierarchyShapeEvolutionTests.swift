import StrataMigrations
import StrataModels
import Testing

/// Classes are split, merged, moved and renamed in hierarchies of up to four levels.
@Suite("Evolution: shapes of hierarchies") struct HierarchyShapeEvolutionTests {
    private typealias Models = ShapeModels
    typealias Types = [any PersistentModel.Type]

    static let three: Types = [Models.Three.Trip.self, Models.Three.Paid.self, Models.Three.Work.self]
    static let four: Types = [
        Models.Four.Trip.self, Models.Four.Paid.self, Models.Four.Work.self, Models.Four.Talk.self,
    ]
    private static let titled: Types = [
        Models.FourTitled.Trip.self, Models.FourTitled.Paid.self, Models.FourTitled.Work.self,
        Models.FourTitled.Talk.self,
    ]
    private static let short: Types = [
        Models.FourShort.Trip.self, Models.FourShort.Work.self, Models.FourShort.Talk.self,
    ]
    private static let named: Types = [
        Models.FourNamed.Trip.self, Models.FourNamed.Paid.self, Models.FourNamed.Business.self,
        Models.FourNamed.Talk.self,
    ]
    private static let turned: Types = [
        Models.FourTurned.Trip.self, Models.FourTurned.Work.self, Models.FourTurned.Paid.self,
    ]
    private static let siblings: Types = [
        Models.Siblings.Trip.self, Models.Siblings.Paid.self, Models.Siblings.Work.self,
    ]
    private static let merged: Types = [Models.Merged.Trip.self, Models.Merged.Paid.self]
    private static let apart: Types = [Models.Apart.Paid.self, Models.Apart.Work.self]

    private static let fourRows = """
        SELECT t.pk, t.class AS kind, p.cost, w.purpose, k.title FROM trip t LEFT JOIN paid p USING (pk)
        LEFT JOIN work w USING (pk) LEFT JOIN talk k USING (pk) ORDER BY 1
        """
    private static let parts = """
        SELECT t.pk, t.class AS kind, p.cost, w.purpose FROM trip t LEFT JOIN paid p USING (pk)
        LEFT JOIN work w USING (pk) ORDER BY 1
        """

    // MARK: Four levels

    @Test func `a fourth level is added`() async throws {
        try await Evolution(Self.three, Self.four).run(
            seed: Models.three, expecting: Self.fourRows,
            is: ["1|Trip|nil|nil|nil", "2|Paid|20|nil|nil", "3|Work|30|p3|nil"], returning: .whole)
    }

    @Test func `a fourth level is split off`() async throws {
        try await Evolution(Self.three, Self.four, changes: [.split(Models.Four.Talk.self, where: "purpose = 'p3'")])
            .run(
                seed: Models.three + [
                    "INSERT INTO trip (pk, class, name) VALUES (4, 'Work', 'd')",
                    "INSERT INTO paid (pk, cost) VALUES (4, 40)", "INSERT INTO work (pk, purpose) VALUES (4, 'p4')",
                ], expecting: Self.fourRows,
                is: ["1|Trip|nil|nil|nil", "2|Paid|20|nil|nil", "3|Talk|30|p3|nil", "4|Work|40|p4|nil"],
                returning: .whole)
    }

    @Test func `the fourth level goes`() async throws {
        try await Evolution(
            Self.four, Self.three,
            changes: [.merged(Models.Four.Talk.self, into: Models.Three.Work.self), .dropped(\Models.Four.Talk.title)]
        ).run(
            seed: Models.four, expecting: Self.parts,
            is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Work|30|p3", "4|Work|40|p4"],
            returning: .none(because: "dropped values cannot come back: Talk.title"))
    }

    @Test func `an attribute goes up from the fourth level to the first`() async throws {
        try await Evolution(Self.four, Self.titled).run(
            seed: Models.four, expecting: "SELECT pk, title FROM trip ORDER BY 1",
            is: ["1|nil", "2|nil", "3|nil", "4|t4"], returning: .whole)
    }

    @Test func `an attribute goes down from the first level to the fourth`() async throws {
        try await Evolution(Self.titled, Self.four, changes: [.dropped(\Models.FourTitled.Talk.seats)]).run(
            seed: Models.four.map { $0.replacing("talk (pk, title) VALUES (4, 't4')", with: "talk (pk) VALUES (4)") }
                + ["UPDATE trip SET title = 't4' WHERE pk = 4"], expecting: Self.fourRows,
            is: ["1|Trip|nil|nil|nil", "2|Paid|20|nil|nil", "3|Work|30|p3|nil", "4|Talk|40|p4|t4"],
            returning: .none(because: "dropped values cannot come back: Talk.seats"))
    }

    @Test func `the second of four levels goes`() async throws {
        try await Evolution(
            Self.four, Self.short, changes: [.merged(Models.Four.Paid.self, into: Models.FourShort.Work.self)]
        ).run(
            seed: Models.four,
            expecting: """
                SELECT t.pk, t.class AS kind, w.cost, w.purpose, k.title FROM trip t LEFT JOIN work w USING (pk)
                LEFT JOIN talk k USING (pk) ORDER BY 1
                """,
            is: ["1|Trip|nil|nil|nil", "2|Work|20|nil|nil", "3|Work|30|p3|nil", "4|Talk|40|p4|t4"],
            returning: .none(because: "rows of Paid, Work are all rows of Work now, and nothing tells what each was"))
    }

    @Test func `a level is inserted above the third`() async throws {
        try await Evolution(Self.short, Self.four).run(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (3, 'Work', 'c'), (4, 'Talk', 'd')",
                "INSERT INTO work (pk, cost, purpose) VALUES (3, 30, 'p3'), (4, 40, 'p4')",
                "INSERT INTO talk (pk, title) VALUES (4, 't4')",
            ], expecting: Self.fourRows, is: ["1|Trip|nil|nil|nil", "3|Work|30|p3|nil", "4|Talk|40|p4|t4"],
            returning: .whole)
    }

    @Test func `the third of four levels is renamed`() async throws {
        try await Evolution(
            Self.four, Self.named, changes: [.renamed(Models.Four.Work.self, to: Models.FourNamed.Business.self)]
        ).run(
            seed: Models.four, expecting: Self.fourRows.replacing("LEFT JOIN work", with: "LEFT JOIN business"),
            is: ["1|Trip|nil|nil|nil", "2|Paid|20|nil|nil", "3|Business|30|p3|nil", "4|Talk|40|p4|t4"],
            returning: .whole)
    }

    @Test func `four levels become one class`() async throws {
        try await Evolution(
            Self.four, [Models.Flat.Trip.self],
            changes: [
                .merged(Models.Four.Paid.self, into: Models.Flat.Trip.self),
                .merged(Models.Four.Work.self, into: Models.Flat.Trip.self),
                .merged(Models.Four.Talk.self, into: Models.Flat.Trip.self), .dropped(\Models.Four.Talk.title),
            ]
        ).run(
            seed: Models.four, expecting: "SELECT pk, name, cost, purpose FROM trip ORDER BY 1",
            is: ["1|a|nil|nil", "2|b|20|nil", "3|c|30|p3", "4|d|40|p4"],
            returning: .none(because: "dropped values cannot come back: Talk.title"))
    }

    // MARK: Two classes change places

    @Test func `a subclass becomes the superclass of its superclass`() async throws {
        try await Evolution(Self.three, Self.turned).run(
            seed: Models.three.map {
                $0.replacing("(2, 'Paid', 'b'), ", with: "").replacing("(2, 20), (3, 30)", with: "(3, NULL)")
            },
            expecting: Self.parts, is: ["1|Trip|nil|nil", "3|Work|nil|p3"], returning: .whole)
    }

    // MARK: Siblings

    @Test func `a subclass goes to another parent`() async throws {
        try await Evolution(Self.siblings, Self.three).run(
            seed: Models.siblings, expecting: Self.parts, is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Work|nil|p3"],
            returning: .whole)
    }

    @Test func `a subclass leaves its parent for the one above`() async throws {
        try await Evolution(Self.three, Self.siblings).run(
            seed: Models.three.map { $0.replacing("(3, 30)", with: "(3, NULL)") }, expecting: Self.parts,
            is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Work|nil|p3"], returning: .whole)
    }

    @Test func `a subclass leaves its parent only if it leaves no value`() async throws {
        try await Evolution(Self.three, Self.siblings).refuse(seed: Models.three, naming: "Paid.cost")
    }

    @Test func `two subclasses become one of them`() async throws {
        try await Evolution(
            Self.siblings, Self.merged, changes: [.merged(Models.Siblings.Work.self, into: Models.Merged.Paid.self)]
        ).run(
            seed: Models.siblings,
            expecting: "SELECT pk, class AS kind, cost, purpose FROM trip LEFT JOIN paid USING (pk) ORDER BY 1",
            is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Paid|nil|p3"],
            returning: .none(because: "rows of Paid, Work are all rows of Paid now, and nothing tells what each was"))
    }

    @Test func `two subclasses become a new one`() async throws {
        try await Evolution(
            Self.siblings, [Models.MergedAnew.Trip.self, Models.MergedAnew.Job.self],
            changes: [
                .merged(Models.Siblings.Paid.self, into: Models.MergedAnew.Job.self),
                .merged(Models.Siblings.Work.self, into: Models.MergedAnew.Job.self),
            ]
        ).run(
            seed: Models.siblings,
            expecting: "SELECT pk, class AS kind, cost, purpose FROM trip LEFT JOIN job USING (pk) ORDER BY 1",
            is: ["1|Trip|nil|nil", "2|Job|20|nil", "3|Job|nil|p3"],
            returning: .none(because: "rows of Paid, Work are all rows of Job now, and nothing tells what each was"))
    }

    @Test func `one class is renamed and takes its sibling`() async throws {
        try await Evolution(
            Self.siblings, [Models.MergedAnew.Trip.self, Models.MergedAnew.Job.self],
            changes: [
                .renamed(Models.Siblings.Paid.self, to: Models.MergedAnew.Job.self),
                .merged(Models.Siblings.Work.self, into: Models.MergedAnew.Job.self),
            ]
        ).run(
            seed: Models.siblings,
            expecting: "SELECT pk, class AS kind, cost, purpose FROM trip LEFT JOIN job USING (pk) ORDER BY 1",
            is: ["1|Trip|nil|nil", "2|Job|20|nil", "3|Job|nil|p3"],
            returning: .none(because: "rows of Paid, Work are all rows of Job now, and nothing tells what each was"))
    }

    // MARK: Splits

    @Test func `two subclasses are split off at once`() async throws {
        try await Evolution(
            [Models.Flat.Trip.self], Self.siblings,
            changes: [
                .split(Models.Siblings.Paid.self, where: "cost IS NOT NULL"),
                .split(Models.Siblings.Work.self, where: "purpose IS NOT NULL"),
            ]
        ).run(
            seed: Models.flat, expecting: Self.parts,
            is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Work|nil|p3", "4|Trip|nil|nil"], returning: .whole)
    }

    @Test func `a row that two rules split off is refused`() async throws {
        try await Evolution(
            [Models.Flat.Trip.self], Self.siblings,
            changes: [
                .split(Models.Siblings.Paid.self, where: "cost IS NOT NULL"),
                .split(Models.Siblings.Work.self, where: "purpose IS NOT NULL"),
            ]
        ).refuse(seed: Models.flat + ["UPDATE trip SET cost = 1 WHERE pk = 3"], naming: "Work")
    }

    @Test func `two levels are split off at once`() async throws {
        try await Evolution(
            [Models.Flat.Trip.self], Self.three,
            changes: [
                .split(Models.Three.Paid.self, where: "cost IS NOT NULL AND purpose IS NULL"),
                .split(Models.Three.Work.self, where: "purpose IS NOT NULL"),
            ]
        ).run(
            seed: Models.flat + ["UPDATE trip SET cost = 30 WHERE pk = 3"], expecting: Self.parts,
            is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Work|30|p3", "4|Trip|nil|nil"], returning: .whole)
    }

    @Test func `a subclass is split off while class and attributes are renamed`() async throws {
        try await Evolution(
            [Models.Flat.Trip.self], [Models.FlatNamed.Journey.self, Models.FlatNamed.Paid.self],
            changes: [
                .renamed(Models.Flat.Trip.self, to: Models.FlatNamed.Journey.self),
                .split(Models.FlatNamed.Paid.self, where: "cost IS NOT NULL"),
            ]
        ).run(
            seed: Models.flat,
            expecting:
                "SELECT pk, class AS kind, label, purpose, price FROM journey LEFT JOIN paid USING (pk) ORDER BY 1",
            is: ["1|Journey|a|nil|nil", "2|Paid|b|nil|20", "3|Journey|c|p3|nil", "4|Journey|d|nil|nil"],
            returning: .whole)
    }

    @Test func `a split in a hierarchy that has classes`() async throws {
        try await Evolution(
            [Models.Merged.Trip.self, Models.Merged.Paid.self], Self.three,
            changes: [.split(Models.Three.Work.self, where: "purpose IS NOT NULL")]
        ).run(
            seed: [
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (2, 'Paid', 'b'), (3, 'Paid', 'c')",
                "INSERT INTO paid (pk, cost, purpose) VALUES (2, 20, NULL), (3, 30, 'p3')",
            ], expecting: Self.parts, is: ["1|Trip|nil|nil", "2|Paid|20|nil", "3|Work|30|p3"], returning: .whole)
    }

    /// Afterwards, values differ from where they came from because the user's code says so.
    @Test func `what was moved is verified before didMigrate`() throws {
        let evolution = try Evolution(Self.siblings, Self.merged)
        let stage = MigrationChain.Stage(
            changes: [.merged(Models.Siblings.Work.self, into: Models.Merged.Paid.self)], hasDidMigrate: true)
        let steps = try MigrationChain(versions: [evolution.before, evolution.after], stages: [stage])
            .scripts(in: "public")[1].steps
        let didMigrate = try #require(steps.firstIndex { $0.execution == .closure(.didMigrate) })
        let verifications = steps.indices.filter { steps[$0].execution == .verify }
        #expect(!verifications.isEmpty)
        #expect(verifications.allSatisfy { $0 < didMigrate })
        #expect(steps[..<didMigrate].contains { $0.statements.contains { $0.contains("IS DISTINCT FROM s.v1") } })
    }

    // MARK: Above and apart

    @Test func `two classes get a superclass`() async throws {
        try await Evolution(Self.apart, Self.siblings).run(
            seed: Models.apart, expecting: Self.parts, is: ["2|Paid|20|nil", "3|Work|nil|p3"], returning: .whole)
    }

    @Test func `two classes get a superclass and their attribute goes up`() async throws {
        try await Evolution(Self.apart, Self.siblings).run(
            seed: Models.apart, expecting: "SELECT pk, name FROM trip ORDER BY 1", is: ["2|b", "3|c"], returning: .whole
        )
    }

    @Test func `two classes get a superclass only if their keys differ`() async throws {
        try await Evolution(Self.apart, Self.siblings).refuse(
            seed: Models.apart + ["INSERT INTO work (pk, name) VALUES (2, 'x')"], naming: "Work")
    }

    @Test func `the superclass of two classes goes`() async throws {
        try await Evolution(Self.siblings, Self.apart, changes: [.dropped(Models.Siblings.Trip.self)]).run(
            seed: Models.siblings,
            expecting:
                "SELECT pk, name, cost::text AS x FROM paid UNION ALL SELECT pk, name, purpose FROM work ORDER BY 1",
            is: ["2|b|20", "3|c|p3"], returning: .none(because: "dropped values cannot come back: Trip"))
    }

    /// A required value that is not copied yet is not one that is missing: it must not get the default, and take that back.
    @Test func `a value that goes down is not lost where old code writes before the backfill`() async throws {
        let evolution = try Evolution(Self.siblings, Self.apart, changes: [.dropped(Models.Siblings.Trip.self)])
        try await evolution.withDatabase(seed: Models.siblings) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .expand) }
            try await database.execute("UPDATE work SET purpose = 'p4'")
            #expect(try await evolution.texts("SELECT name FROM trip ORDER BY pk", on: database) == ["a", "b", "c"])
            try await blocking { try runner.apply(scripts) }
            let rows = try await evolution.texts("SELECT pk, name, purpose FROM work", on: database)
            #expect(rows == ["3|c|p4"])
        }
    }

    @Test func `the superclass of two classes goes only when it is named`() throws {
        let evolution = try Evolution(Self.siblings, Self.apart)
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.contains("Trip") == true)
    }

    @Test func `subclasses are dropped with their rows`() async throws {
        try await Evolution(
            Self.three, [Models.Only.Trip.self],
            changes: [.dropped(Models.Three.Paid.self), .dropped(Models.Three.Work.self)]
        ).run(
            seed: Models.three, expecting: "SELECT * FROM trip", is: ["1|a"],
            returning: .none(because: "dropped values cannot come back: Paid, Work"))
    }

    @Test func `a subclass that is dropped must be named`() throws {
        let evolution = try Evolution(
            Self.three, [Models.Only.Trip.self], changes: [.dropped(Models.Three.Paid.self)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.contains("Work") == true)
    }

    @Test func `a subclass is dropped and its subclass goes to the parent`() async throws {
        try await Evolution(
            Self.four, Self.short,
            changes: [.dropped(Models.Four.Paid.self)]
        ).run(
            seed: Models.four,
            expecting: """
                SELECT t.pk, t.class AS kind, w.cost, w.purpose, k.title FROM trip t LEFT JOIN work w USING (pk)
                LEFT JOIN talk k USING (pk) ORDER BY 1
                """, is: ["1|Trip|nil|nil|nil", "3|Work|30|p3|nil", "4|Talk|40|p4|t4"],
            returning: .none(because: "dropped values cannot come back: Paid"))
    }
}
