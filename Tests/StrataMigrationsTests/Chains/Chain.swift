import StrataModels
import Testing

@testable import StrataMigrations

/// Versions of a schema with the objects that a database should have at each of them.
struct Chain: Sendable {
    var versions: [FrozenSchema]
    var stages: [MigrationChain.Stage]
    /// Of every version.
    var objects: [[StoredObject]]
    /// For messages: what each version looks like.
    var titles: [String] = []
    /// The classes of the newest version, where they are here.
    var types: [any PersistentModel.Type] = []

    init(versions: [FrozenSchema], stages: [MigrationChain.Stage], objects: [[StoredObject]]) {
        (self.versions, self.stages, self.objects) = (versions, stages, objects)
    }

    /// Adds the next version; `changes` lead to it.
    mutating func append(
        _ types: [any PersistentModel.Type], changes: [SchemaChange] = [], objects: [StoredObject], title: [String] = []
    ) throws {
        let version = Schema.Version(versions.count + 1, 0, 0)
        let frozen = try FrozenSchema(freezing: Schema(types, version: version))
        append(frozen, changes: changes, objects: objects, title: title)
        self.types = types
    }

    /// Adds the next version, whose classes are not here; `changes` lead to it.
    mutating func append(
        _ version: FrozenSchema, changes: [SchemaChange] = [], objects: [StoredObject], title: [String] = []
    ) {
        if !versions.isEmpty { stages.append(MigrationChain.Stage(changes: changes)) }
        versions.append(version)
        self.objects.append(objects)
        titles.append(title.joined(separator: " and "))
        types = []
    }

    func scripts() throws -> [StageScript] {
        try MigrationChain(versions: versions, stages: stages).scriptsThatCanBeMoved()
    }

    /// One script that makes the version at once.
    func squashed(_ index: Int) throws -> [StageScript] {
        try MigrationChain(versions: [versions[index]], stages: []).scripts(in: "public")
    }
}
