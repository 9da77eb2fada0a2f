import Foundation
import StrataModels
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// Whole files, as the reader of a pull request sees them.
///
/// The texts stand in the folder `PlannedSQL`. Run once with STRATA_WRITE_REFERENCE=1 after changing the planner, and
/// read what changed.
@Suite("Planned files") struct PlannedFilesTests {
    typealias Attributes = AttributeEvolutionTests
    typealias Hierarchies = HierarchyEvolutionTests

    struct Example: Sendable, CustomTestStringConvertible {
        /// The name of the text's file.
        var testDescription: String
        var before: [any PersistentModel.Type]
        var after: [any PersistentModel.Type]
        var changes: [SchemaChange]
        init(
            _ name: String, _ before: [any PersistentModel.Type], _ after: [any PersistentModel.Type],
            _ changes: [SchemaChange] = []
        ) {
            (testDescription, self.before, self.after, self.changes) = (name, before, after, changes)
        }
    }

    static let examples = [
        Example("attribute-optional", [Attributes.Bare.Item.self], [Attributes.Plain.Item.self]),
        Example(
            "attribute-dropped", [Attributes.Plain.Item.self], [Attributes.Bare.Item.self],
            [.dropped(\Attributes.Plain.Item.note)]),
        Example("attributes-added", [Attributes.Bare.Item.self], [Wide.Item.self]),
        Example("attribute-default", [NameEvolutionTests.Note.Item.self], [NotedItem.Item.self]),
        Example(
            "attribute-required", [Attributes.Plain.Item.self], [Attributes.Demanding.Item.self],
            [.filled(\Attributes.Demanding.Item.code, with: "upper(name)")]),
        Example("attribute-renamed", [Attributes.Plain.Item.self], [Attributes.Renamed.Item.self]),
        Example(
            "attribute-renamed-side-by-side", [Attributes.Plain.Item.self], [Attributes.Renamed.Item.self],
            [.sideBySide(\Attributes.Renamed.Item.title)]),
        Example("attribute-retyped", [TypeEvolutionTests.Text.Item.self], [TypeEvolutionTests.Whole.Item.self]),
        Example("enum-case-removed", [EnumEvolutionTests.Three.Item.self], [EnumEvolutionTests.Two.Item.self]),
        Example("unique-added", [UniqueEvolutionTests.Plain.Item.self], [UniqueEvolutionTests.Single.Item.self]),
        Example("index-added", [UniqueEvolutionTests.Plain.Item.self], [UniqueEvolutionTests.Indexed.Item.self]),
        Example(
            "class-added", [Attributes.Plain.Item.self], [Attributes.Plain.Item.self, Attributes.Thing.Thing.self]),
        Example(
            "class-dropped", [Attributes.Plain.Item.self, Attributes.Thing.Thing.self], [Attributes.Plain.Item.self],
            [.dropped(Attributes.Thing.Thing.self)]),
        Example(
            "class-renamed", [Attributes.Plain.Item.self], [Attributes.Thing.Thing.self],
            [.renamed(Attributes.Plain.Item.self, to: Attributes.Thing.Thing.self)]),
        Example(
            "relationship-added", [LinkModels.None.Trip.self, LinkModels.None.Stop.self],
            [LinkModels.Many.Trip.self, LinkModels.Many.Stop.self]),
        Example(
            "to-one-to-many", [LinkModels.ToOne.Trip.self, LinkModels.ToOne.Stop.self],
            [LinkModels.Pairs.Trip.self, LinkModels.Pairs.Stop.self]),
        Example(
            "subclass-split", [Hierarchies.Flat.Trip.self],
            [Hierarchies.Split.Trip.self, Hierarchies.Split.BusinessTrip.self],
            [.split(Hierarchies.Split.BusinessTrip.self, where: "perdiem IS NOT NULL")]),
        Example(
            "attribute-pulled-up", [Hierarchies.Split.Trip.self, Hierarchies.Split.BusinessTrip.self],
            [Pulled.Trip.self, Pulled.BusinessTrip.self]),
    ]

    enum NotedItem {
        @Model class Item {
            var note: String?
            var count: Int = 3
            init() {}
        }
    }
    /// Eight columns more than `Bare`.
    enum Wide {
        @Model class Item {
            var name: String
            var note: String?
            var colour: String?
            var height: Double?
            var width: Double?
            var weight: Double?
            var isFragile: Bool?
            var count: Int?
            var arrival: Date?
            init(name: String) { self.name = name }
        }
    }
    enum Pulled {
        @Model class Trip {
            var name: String
            var perdiem: Double?
            init(name: String) { self.name = name }
        }
        @Model class BusinessTrip: Trip {}
    }

    @Test(arguments: examples) func `the files of a stage`(_ example: Example) throws {
        let script = try Evolution(example.before, example.after, changes: example.changes).scripts()[1]
        let files = try MigrationFile(script).files
        let text = files.map { "---- \($0.name)\n\($0.text)" }.joined(separator: "\n")
        let place = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "PlannedSQL/\(example.testDescription).sql")
        if ProcessInfo.processInfo.environment["STRATA_WRITE_REFERENCE"] != nil {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place)
        }
        let expected = try String(contentsOf: place, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let first = zip(lines, expectedLines).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(
            text == expected,
            "first difference in line \((first?.offset ?? min(lines.count, expectedLines.count)) + 1)")
    }

    @Test func `eight columns of a table are one statement, in less than forty lines`() throws {
        let script = try Evolution([Attributes.Bare.Item.self], [Wide.Item.self]).scripts()[1]
        let text = try MigrationFile(script).upText
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { $0.hasPrefix("ALTER TABLE") } == 1)
        #expect(text.ranges(of: "ADD COLUMN").count == 8)
        #expect(lines.count < 40, "\(lines.count) lines")
    }
}
