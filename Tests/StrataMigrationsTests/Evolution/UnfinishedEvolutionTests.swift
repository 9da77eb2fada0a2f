import StrataClient
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// A stage that was begun is taken back before its contract: everything is as it was, and it can be applied again.
@Suite("Evolution: unfinished stages") struct UnfinishedEvolutionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: [any PersistentModel.Type]
        var after: [any PersistentModel.Type]
        var changes: [SchemaChange] = []
        var seed: [String] = []
        /// What is the same before and after.
        var query = "SELECT 1"
    }

    enum Unique {
        @Model class Item {
            @Attribute(.unique) var name: String = ""
            var note: String?
            init() {}
        }
    }

    private typealias Attribute = AttributeEvolutionTests
    private typealias Hierarchy = HierarchyEvolutionTests

    static let cases: [Case] = [
        Case(
            testDescription: "attributes are added", before: [Attribute.Plain.Item.self],
            after: [Attribute.Defaults.Item.self], seed: Attribute.rows, query: "SELECT * FROM item ORDER BY pk"),
        Case(
            testDescription: "volatile defaults are added", before: [Attribute.Plain.Item.self],
            after: [Attribute.Volatile.Item.self], seed: Attribute.rows, query: "SELECT * FROM item ORDER BY pk"),
        Case(
            testDescription: "a rename and a new type", before: [Attribute.Plain.Item.self],
            after: [Attribute.Counted.Item.self], seed: ["INSERT INTO item (pk, name) VALUES (1, '12'), (2, '-3')"],
            query: "SELECT * FROM item ORDER BY pk"),
        Case(
            testDescription: "a required attribute becomes optional", before: [Attribute.Plain.Item.self],
            after: [Attribute.Lenient.Item.self], seed: Attribute.rows, query: "SELECT * FROM item ORDER BY pk"),
        Case(
            testDescription: "an attribute becomes unique", before: [Attribute.Plain.Item.self],
            after: [Unique.Item.self], seed: Attribute.rows, query: "SELECT * FROM item ORDER BY pk"),
        Case(
            testDescription: "a to-one becomes many-to-many",
            before: [LinkModels.ToOne.Trip.self, LinkModels.ToOne.Stop.self],
            after: [LinkModels.Pairs.Trip.self, LinkModels.Pairs.Stop.self], seed: LinkModels.toOne,
            query: "SELECT * FROM stop ORDER BY pk"),
        Case(
            testDescription: "a to-one is added", before: [LinkModels.None.Trip.self, LinkModels.None.Stop.self],
            after: [LinkModels.ToOne.Trip.self, LinkModels.ToOne.Stop.self], seed: LinkModels.unrelated,
            query: "SELECT * FROM stop ORDER BY pk"),
        Case(
            testDescription: "rows are split into a subclass", before: [Hierarchy.Flat.Trip.self],
            after: [Hierarchy.Split.Trip.self, Hierarchy.Split.BusinessTrip.self],
            changes: [.split(Hierarchy.Split.BusinessTrip.self, where: "perdiem IS NOT NULL")], seed: Hierarchy.trips,
            query: "SELECT * FROM trip ORDER BY pk"),
        Case(
            testDescription: "an attribute is pulled up",
            before: [Hierarchy.Split.Trip.self, Hierarchy.Split.BusinessTrip.self],
            after: [Hierarchy.Added.Trip.self, Hierarchy.Added.BusinessTrip.self], seed: Hierarchy.businessTrips,
            query: "SELECT * FROM trip LEFT JOIN business_trip USING (pk) ORDER BY pk"),
        Case(
            testDescription: "a class is inserted in the middle",
            before: [Hierarchy.Leaf.Trip.self, Hierarchy.Leaf.BusinessTrip.self],
            after: [Hierarchy.Middle.Trip.self, Hierarchy.Middle.PaidTrip.self, Hierarchy.Middle.BusinessTrip.self],
            seed: [
                Hierarchy.businessTrips[0],
                "INSERT INTO business_trip (pk, perdiem, purpose) VALUES (2, 12.5, 'talk')",
            ], query: "SELECT * FROM trip LEFT JOIN business_trip USING (pk) ORDER BY pk"),
        Case(
            testDescription: "a subclass becomes a class of its own",
            before: [Hierarchy.Split.Trip.self, Hierarchy.Split.BusinessTrip.self],
            after: [Hierarchy.Apart.Trip.self, Hierarchy.Apart.BusinessTrip.self], seed: Hierarchy.businessTrips,
            query: "SELECT * FROM trip LEFT JOIN business_trip USING (pk) ORDER BY pk"),
        Case(
            testDescription: "a class is added", before: [Attribute.Plain.Item.self],
            after: [Attribute.Plain.Item.self, Attribute.Thing.Thing.self], seed: Attribute.rows,
            query: "SELECT * FROM item ORDER BY pk"),
    ]

    @Test(arguments: cases, [MigrationPhase.expand, .backfill])
    func `an unfinished stage is taken back and applied again`(_ example: Case, phase: MigrationPhase) async throws {
        let evolution = try Evolution(example.before, example.after, changes: example.changes)
        try await evolution.withDatabase("unfinished", seed: example.seed) { database, runner, scripts in
            let rows = try await evolution.texts(example.query, on: database)
            try await blocking { try runner.apply(scripts, through: phase) }
            // A unique index alone has nothing to expand: then nothing was begun.
            if scripts[1].steps.contains(where: { $0.phase <= phase }) {
                try await blocking { try runner.rollback(scripts[1]) }
            }
            try await evolution.expectCatalog(evolution.before, on: database, "after taking it back")
            #expect(try await evolution.texts(example.query, on: database) == rows)
            try await blocking { try runner.apply(scripts) }
            try await evolution.expectCatalog(evolution.after, on: database, "after applying it again")
        }
    }
}
