import StrataMigrations
import StrataModels
import Testing

/// Old and new code write to the same objects from expand to contract: nothing is lost, and both see the same.
@Suite("Evolution: old and new code side by side") struct OverlapTests {
    @Test(arguments: [
        split, ruled, pulledUp, pushedDown, inserted, superclass, paired, sharedSplit, sharedRetired, sharedUnique,
        sharedReference,
    ])
    func `what both codes write stays`(overlap: Overlap) async throws {
        try await overlap.run()
    }

    // MARK: Cases

    private typealias Trips = HierarchyEvolutionTests

    /// Rows with a value become rows of a subclass.
    static let split = Overlap(
        name: "split",
        evolution: {
            try Evolution(
                [Trips.Flat.Trip.self], [Trips.Split.Trip.self, Trips.Split.BusinessTrip.self],
                changes: [.split(Trips.Split.BusinessTrip.self, where: "perdiem IS NOT NULL")])
        },
        old: .init(
            insert: { ["INSERT INTO trip (pk, name, perdiem) VALUES (\($0), 'o', \($1))"] },
            update: { ["UPDATE trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(perdiem::text, 'NULL') AS value FROM trip"),
        new: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'BusinessTrip', 'n')",
                    "INSERT INTO business_trip (pk, perdiem) VALUES (\(key), \(value))",
                ]
            },
            update: { key, value in
                // An object of the superclass has no value that new code could change: it is made anew.
                [
                    """
                    INSERT INTO business_trip (pk, perdiem) VALUES (\(key), \(value))
                    ON CONFLICT (pk) DO UPDATE SET perdiem = EXCLUDED.perdiem
                    """,
                    "UPDATE trip SET class = 'BusinessTrip' WHERE pk = \(key)",
                ]
            },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: """
                SELECT pk AS key, coalesce(b.perdiem::text, 'NULL') AS value FROM trip LEFT JOIN business_trip AS b USING (pk)
                """))

    private typealias Shared = SingleTableEvolutionTests

    /// In a table that classes share, rows with a value become those of a subclass.
    static let sharedSplit = Overlap(
        name: "shared split",
        evolution: {
            try Evolution(
                [Shared.Alone.Person.self], [Shared.Managed.Person.self, Shared.Managed.Manager.self],
                changes: [.split(Shared.Managed.Manager.self, where: "budget IS NOT NULL")])
        },
        old: .init(
            insert: { ["INSERT INTO people (pk, name, budget) VALUES (\($0), 'o', \($1))"] },
            update: { ["UPDATE people SET budget = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM people WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, budget::text AS value FROM people WHERE budget IS NOT NULL"),
        new: .init(
            insert: { ["INSERT INTO people (pk, class, name, budget) VALUES (\($0), 'Manager', 'n', \($1))"] },
            update: { ["UPDATE people SET budget = \($1) WHERE pk = \($0) AND class = 'Manager'"] },
            delete: { ["DELETE FROM people WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, budget::text AS value FROM people WHERE class = 'Manager'"),
        isOptional: false)

    /// A required property of a subclass goes: new code leaves it out while old code requires it.
    static let sharedRetired = Overlap(
        name: "shared retired",
        evolution: {
            try Evolution(
                [Shared.Graded.Person.self, Shared.Graded.Manager.self],
                [Shared.Managed.Person.self, Shared.Managed.Manager.self],
                changes: [.dropped(\Shared.Graded.Manager.grade)])
        },
        old: .init(
            insert: {
                ["INSERT INTO people (pk, class, name, budget, grade) VALUES (\($0), 'Manager', 'o', \($1), 3)"]
            },
            update: { ["UPDATE people SET budget = \($1), grade = 4 WHERE pk = \($0)"] },
            delete: { ["DELETE FROM people WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, budget::text AS value FROM people WHERE class = 'Manager' AND grade IS NOT NULL"
        ),
        new: .init(
            insert: { ["INSERT INTO people (pk, class, name, budget) VALUES (\($0), 'Manager', 'n', \($1))"] },
            update: { ["UPDATE people SET budget = \($1) WHERE pk = \($0) AND class = 'Manager'"] },
            delete: { ["DELETE FROM people WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, budget::text AS value FROM people WHERE class = 'Manager'"),
        isOptional: false)

    /// The same of a property that is unique, beside rows of another class that both codes write: a default would be in all of them.
    static let sharedUnique = retired("shared unique", "badge") {
        try Evolution(
            [Shared.Badged.Person.self, Shared.Badged.Manager.self],
            [Shared.Managed.Person.self, Shared.Managed.Manager.self], changes: [.dropped(\Shared.Badged.Manager.badge)]
        )
    }

    /// And of a list, which has no value that could stand for none, and a reference, for which none is another object.
    static let sharedReference = retired("shared reference", "office", tags: ", tags", ", '{}'") {
        try Evolution(
            [Shared.Housed.Person.self, Shared.Housed.Manager.self, Shared.Housed.Office.self],
            [Shared.Managed.Person.self, Shared.Managed.Manager.self, Shared.Office.self],
            changes: [.dropped(\Shared.Housed.Manager.office), .dropped(\Shared.Housed.Manager.tags)])
    }

    private static func retired(
        _ name: String, _ column: String, tags: String = "", _ noTags: String = "",
        _ evolution: @escaping @Sendable () throws -> Evolution
    ) -> Overlap {
        let value: @Sendable (Int) -> String = { column == "office" ? "1" : "'b\($0)'" }
        let other: @Sendable (Int) -> String = {
            "INSERT INTO people (pk, class, name) VALUES (\($0 + 1_000_000), 'Person', 'p')"
        }
        return Overlap(
            name: name, evolution: evolution,
            seed: column == "office" ? ["INSERT INTO office (pk, name) VALUES (1, 'o')"] : [],
            old: .init(
                insert: { key, budget in
                    [
                        "INSERT INTO people (pk, class, name, budget, \(column)\(tags)) VALUES (\(key), 'Manager', 'o', \(budget), \(value(key))\(noTags))",
                        other(key),
                    ]
                },
                update: { ["UPDATE people SET budget = \($1) WHERE pk = \($0)"] },
                delete: { ["DELETE FROM people WHERE pk = \($0)"] },
                objects: "SELECT pk AS key, budget::text AS value FROM people WHERE class = 'Manager'"),
            new: .init(
                insert: { key, budget in
                    [
                        "INSERT INTO people (pk, class, name, budget) VALUES (\(key), 'Manager', 'n', \(budget))",
                        other(key),
                    ]
                },
                update: { ["UPDATE people SET budget = \($1) WHERE pk = \($0) AND class = 'Manager'"] },
                delete: { ["DELETE FROM people WHERE pk = \($0)"] },
                objects: "SELECT pk AS key, budget::text AS value FROM people WHERE class = 'Manager'"),
            isOptional: false)
    }

    /// Rows that a rule picks by what stays in the superclass: their part is there before new code inserts it.
    static let ruled = Overlap(
        name: "ruled",
        evolution: {
            try Evolution(
                [Trips.Flat.Trip.self], [Trips.Split.Trip.self, Trips.Split.BusinessTrip.self],
                changes: [.split(Trips.Split.BusinessTrip.self, where: "name <> ''")])
        },
        old: split.old,
        new: .init(
            insert: split.new.insert,
            update: { ["UPDATE business_trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: split.new.delete,
            objects: """
                SELECT pk AS key, coalesce(b.perdiem::text, 'NULL') AS value FROM trip JOIN business_trip AS b USING (pk)
                WHERE class = 'BusinessTrip'
                """))

    /// A value of the subclass becomes one of the superclass.
    static let pulledUp = Overlap(
        name: "pulled up",
        evolution: {
            try Evolution(
                [Trips.Split.Trip.self, Trips.Split.BusinessTrip.self],
                [Trips.Added.Trip.self, Trips.Added.BusinessTrip.self])
        },
        old: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'BusinessTrip', 'o')",
                    "INSERT INTO business_trip (pk, perdiem) VALUES (\(key), \(value))",
                ]
            },
            update: { ["UPDATE business_trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: """
                SELECT pk AS key, coalesce(b.perdiem::text, 'NULL') AS value FROM trip JOIN business_trip AS b USING (pk)
                """),
        new: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name, perdiem) VALUES (\(key), 'BusinessTrip', 'n', \(value))",
                    "INSERT INTO business_trip (pk, purpose) VALUES (\(key), 'talk')",
                ]
            },
            update: { ["UPDATE trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(perdiem::text, 'NULL') AS value FROM trip"))

    /// A value of the superclass becomes one of the subclass.
    static let pushedDown = Overlap(
        name: "pushed down",
        evolution: {
            try Evolution(
                [
                    ShapeModels.TitledAbove.Trip.self, ShapeModels.TitledAbove.Paid.self,
                    ShapeModels.TitledAbove.Work.self,
                ],
                [
                    ShapeModels.TitledBelow.Trip.self, ShapeModels.TitledBelow.Paid.self,
                    ShapeModels.TitledBelow.Work.self,
                ])
        },
        old: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name, title) VALUES (\(key), 'Work', 'o', \(value))",
                    "INSERT INTO paid (pk) VALUES (\(key))", "INSERT INTO work (pk) VALUES (\(key))",
                ]
            },
            update: { ["UPDATE trip SET title = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(title::text, 'NULL') AS value FROM trip"),
        new: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'Work', 'n')",
                    "INSERT INTO paid (pk) VALUES (\(key))",
                    "INSERT INTO work (pk, title) VALUES (\(key), \(value))",
                ]
            },
            update: { ["UPDATE work SET title = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(title::text, 'NULL') AS value FROM work"))

    /// A class comes between two, and takes the value.
    static let inserted = Overlap(
        name: "inserted",
        evolution: {
            try Evolution(
                [Trips.Leaf.Trip.self, Trips.Leaf.BusinessTrip.self],
                [Trips.Middle.Trip.self, Trips.Middle.PaidTrip.self, Trips.Middle.BusinessTrip.self])
        },
        old: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'BusinessTrip', 'o')",
                    "INSERT INTO business_trip (pk, perdiem, purpose) VALUES (\(key), \(value), 'talk')",
                ]
            },
            update: { ["UPDATE business_trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(perdiem::text, 'NULL') AS value FROM business_trip"),
        new: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'BusinessTrip', 'n')",
                    "INSERT INTO paid_trip (pk, perdiem) VALUES (\(key), \(value))",
                    "INSERT INTO business_trip (pk, purpose) VALUES (\(key), 'talk')",
                ]
            },
            update: { ["UPDATE paid_trip SET perdiem = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: """
                SELECT pk AS key, coalesce(p.perdiem::text, 'NULL') AS value
                FROM trip JOIN paid_trip AS p USING (pk) JOIN business_trip USING (pk)
                """))

    /// Two classes get a superclass, which takes what both have.
    static let superclass = Overlap(
        name: "superclass",
        evolution: {
            try Evolution(
                [ShapeModels.Apart.Paid.self, ShapeModels.Apart.Work.self],
                [ShapeModels.Siblings.Trip.self, ShapeModels.Siblings.Paid.self, ShapeModels.Siblings.Work.self])
        },
        old: .init(
            insert: { ["INSERT INTO paid (pk, name, cost) VALUES (\($0), '\($1)', 3)"] },
            update: { ["UPDATE paid SET name = '\($1)' WHERE pk = \($0)"] },
            delete: { ["DELETE FROM paid WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, name AS value FROM paid"),
        new: .init(
            insert: { key, value in
                [
                    "INSERT INTO trip (pk, class, name) VALUES (\(key), 'Paid', '\(value)')",
                    "INSERT INTO paid (pk, cost) VALUES (\(key), 3)",
                ]
            },
            update: { ["UPDATE trip SET name = '\($1)' WHERE pk = \($0)"] },
            delete: { ["DELETE FROM trip WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, trip.name AS value FROM trip JOIN paid USING (pk)"),
        isOptional: false)

    /// A reference becomes pairs.
    static let paired = Overlap(
        name: "paired",
        evolution: {
            try Evolution(
                [LinkModels.ToOne.Trip.self, LinkModels.ToOne.Stop.self],
                [LinkModels.Pairs.Trip.self, LinkModels.Pairs.Stop.self])
        },
        seed: ["INSERT INTO trip (pk, name) SELECT n, 't' FROM generate_series(1, 9) AS n"],
        old: .init(
            insert: { ["INSERT INTO stop (pk, title, trip) VALUES (\($0), 'o', \($1))"] },
            update: { ["UPDATE stop SET trip = \($1) WHERE pk = \($0)"] },
            delete: { ["DELETE FROM stop WHERE pk = \($0)"] },
            objects: "SELECT pk AS key, coalesce(trip::text, 'NULL') AS value FROM stop"),
        new: .init(
            insert: { key, value in
                ["INSERT INTO stop (pk, title) VALUES (\(key), 'n')"]
                    + (value == "NULL" ? [] : ["INSERT INTO stop_trips (stop_pk, trip_pk) VALUES (\(key), \(value))"])
            },
            update: { key, value in
                ["DELETE FROM stop_trips WHERE stop_pk = \(key)"]
                    + (value == "NULL" ? [] : ["INSERT INTO stop_trips (stop_pk, trip_pk) VALUES (\(key), \(value))"])
            },
            delete: { ["DELETE FROM stop WHERE pk = \($0)"] },
            objects: """
                SELECT pk AS key, coalesce(string_agg(trip_pk::text, ' '), 'NULL') AS value
                FROM stop LEFT JOIN stop_trips ON stop_pk = pk GROUP BY pk
                """))
}
