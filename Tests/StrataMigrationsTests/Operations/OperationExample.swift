import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// A stage that stands for the kinds of its steps, with the rows that it is run on.
struct OperationExample: Sendable, Hashable, CustomTestStringConvertible {
    let testDescription: String
    /// As the planner writes them; the last one is the stage.
    let scripts: [StageScript]
    let seed: [String]

    var stage: StageScript { scripts[scripts.count - 1] }
    /// What is there before the stage; none for the stage that creates a version.
    var earlier: [StageScript] { Array(scripts.dropLast()) }

    init(
        _ description: String, _ evolution: @autoclosure () throws -> Evolution, seed: [String] = [],
        _ edit: (inout [StageScript]) -> Void = { _ in }
    ) {
        testDescription = description
        self.seed = seed
        do {
            var scripts = try evolution().scripts()
            edit(&scripts)
            self.scripts = scripts
        } catch {
            fatalError("\(description) cannot be planned: \(error)")
        }
    }
}

extension OperationExample {
    private typealias Attributes = AttributeEvolutionTests
    private typealias Options = OptionEvolutionTests
    private typealias Links = LinkModels
    private typealias Targets = TargetModels
    private typealias Shapes = ShapeModels
    private typealias Related = RelatedModels

    private static let plain: [any PersistentModel.Type] = [Attributes.Plain.Item.self]

    static let creation = OperationExample("a version is created", try Evolution(plain, plain)) {
        $0.removeLast()
    }

    static let conversion = OperationExample(
        "a document gets the key its new shape needs",
        try Evolution(
            [Options.AtPlace.Item.self], [Options.AtSpot.Item.self],
            changes: [.converted(\Options.AtSpot.Item.place, using: #"place || '{"floor": 1}'"#)]),
        seed: [#"INSERT INTO item (place) VALUES ('{"city": "Oslo"}'), ('{"city": "Rome"}')"#])

    static let computed = OperationExample(
        "a property is computed by something else",
        try Evolution([ComputedColumnModels.Computed.Line.self], [ComputedColumnModels.Other.Line.self]),
        seed: ComputedColumnModels.rows)

    static let oneWay = OperationExample(
        "a value is converted under a new name",
        try Evolution([OneWayEvolutionTests.Numbered.Item.self], [OneWayEvolutionTests.Labelled.Item.self]),
        seed: ["INSERT INTO item (pk, code) VALUES (1, 7), (2, 8), (3, 9)"])

    static let hiddenLinks = OperationExample(
        "a to-many without an inverse leads to the superclass",
        try Evolution(LinkTargetEvolutionTests.hiddenTowns, LinkTargetEvolutionTests.hiddenPlaces),
        seed: [Targets.trips] + Targets.places + ["UPDATE town SET trip_goals = 3 WHERE pk = 2"])

    static let oneToOne = OperationExample(
        "a one-to-one is added",
        try Evolution(
            [Links.None.Trip.self, Links.None.Stop.self], [Links.OneToOne.Trip.self, Links.OneToOne.Stop.self]
        ).withoutOriginalNames, seed: Links.unrelated)

    static let merged = OperationExample(
        "the fourth level of a hierarchy goes",
        try Evolution(
            HierarchyShapeEvolutionTests.four, HierarchyShapeEvolutionTests.three,
            changes: [.merged(Shapes.Four.Talk.self, into: Shapes.Three.Work.self), .dropped(\Shapes.Four.Talk.title)]),
        seed: Shapes.four)

    static let joined = OperationExample(
        "a class becomes a subclass",
        try Evolution(
            WayBackEvolutionTests.alone, WayBackEvolutionTests.joined,
            changes: [.filled(\WayBackModels.Joined.Trip.seats, with: "40")]),
        seed: [
            "INSERT INTO trip (pk, name, seats) VALUES (2, 't', 3)",
            "INSERT INTO cruise (pk, deck) VALUES (1, 'd'), (3, 'e')",
        ])

    static let addedClass = OperationExample(
        "a class is added", try Evolution(plain, [Attributes.Plain.Item.self, Attributes.Thing.Thing.self]),
        seed: Attributes.rows)

    static let loosened = OperationExample(
        "a required attribute becomes optional", try Evolution(plain, [Attributes.Lenient.Item.self]),
        seed: Attributes.rows)

    static let ruled = OperationExample(
        "rules are added", try Evolution([ConditionModels.Bare.Trip.self], [ConditionModels.Ruled.Trip.self]),
        seed: ConditionModels.rows)

    static let divided = OperationExample(
        "tenants come and go",
        try Evolution(
            TenantModels.shared, TenantModels.divided,
            changes: [
                .filled(\TenantModels.Divided.Item.tenant, with: "'acme'"),
                .filled(\TenantModels.Divided.Label.tenant, with: "'acme'"),
            ]),
        seed: TenantModels.rows)

    static let external = OperationExample(
        "external storage", try Evolution([Options.Plain.Item.self], [Options.External.Item.self]), seed: Options.rows)

    static let newDefault = OperationExample(
        "another default",
        try Evolution([NameEvolutionTests.Note.Item.self], [PlannedFilesTests.NotedItem.Item.self]))

    static let droppedSubclass = OperationExample(
        "a subclass that others refer to is dropped",
        try Evolution(
            RelatedHierarchyEvolutionTests.short, [Related.Plain.Trip.self, Related.Plain.Stop.self],
            changes: [
                .dropped(Related.Short.Business.self), .dropped(Related.Short.Bill.self),
                .dropped(Related.Short.Guest.self),
            ]), seed: Related.short)

    static let ordered = OperationExample(
        "an order is added", try Evolution(OrderModels.unordered, OrderModels.ordered), seed: OrderModels.rows)

    static let named = OperationExample(
        "class, subclass and all their relationships are renamed together",
        try Evolution(
            RelatedHierarchyEvolutionTests.short, RelatedHierarchyEvolutionTests.named,
            changes: RelatedHierarchyEvolutionTests.toNamed), seed: Related.short)

    static let sideBySide = OperationExample(
        "an attribute is renamed side by side",
        try Evolution(
            plain, [Attributes.Renamed.Item.self], changes: [.sideBySide(\Attributes.Renamed.Item.title)]),
        seed: Attributes.rows)

    static let own = OperationExample(
        "a statement of the plan",
        try Evolution(plain, plain, changes: [.sql("UPDATE public.item SET name = upper(name)")]),
        seed: Attributes.rows)

    private static let counted: [any PersistentModel.Type] = [
        ViewModels.Counted.Trip.self, ViewModels.Counted.CityStatistics.self,
    ]

    static let grownView = OperationExample(
        "a view gets a column",
        try Evolution(counted, [ViewModels.Summed.Trip.self, ViewModels.Summed.CityStatistics.self]),
        seed: ViewEvolutionTests.rows)

    static let keptView = OperationExample(
        "rows of a view are kept, and those that it shows change behind that",
        try Evolution(
            counted, [ViewModels.Kept.Trip.self, ViewModels.Kept.CityStatistics.self, ViewModels.Kept.Best.self],
            changes: [.sql("UPDATE public.trip SET city = 'Rome' WHERE city = 'Oslo'", phase: .contract)]),
        seed: ViewEvolutionTests.rows)

    static let renamedBelowView = OperationExample(
        "a column that a view reads is renamed",
        try Evolution(counted, [ViewModels.Renamed.Trip.self, ViewModels.Renamed.CityStatistics.self]),
        seed: ViewEvolutionTests.rows)

    /// Its closures are ``ExampleClosures``.
    static let closures = OperationExample(
        "closures",
        Evolution(
            before: try Evolution(plain, plain).before,
            after: try Evolution(plain, [Attributes.Defaults.Item.self]).after,
            stage: MigrationChain.Stage(hasWillMigrate: true, hasDidMigrate: true)), seed: Attributes.rows)

    /// No change of a model renames constraints and nothing else.
    static let hiddenNames = OperationExample(
        "names of constraints alone", try Evolution(plain, plain), seed: Attributes.rows
    ) { scripts in
        var draft = StageDraft(SchemaSQL(schemaName: "public"))
        let rename = Rename(kind: .constraint(table: "item"), from: "item_pkey", to: "item_key")
        draft.add(.switchNames, SwitchNames(renames: [rename], version: Schema.Version(2, 0, 0), tables: ["item"]))
        scripts[1].insert(draft.numbered(2)[0])
    }

    /// A step that somebody wrote into a planned stage.
    static let custom = OperationExample("a step by hand", try Evolution(plain, plain), seed: Attributes.rows) {
        $0[1].insert(
            MigrationStep(
                phase: .backfill, title: "by hand", lock: .rowExclusive, tables: ["item"],
                statements: ["UPDATE public.item SET name = name || '!'"]))
    }
}

extension StageScript {
    /// Puts a step in front of all others.
    fileprivate mutating func insert(_ step: MigrationStep) {
        var step = step
        step.id = "\(number).0"
        steps.insert(step, at: 0)
    }
}
