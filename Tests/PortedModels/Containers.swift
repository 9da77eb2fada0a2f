import Foundation
import SwiftData

// How apps open their containers: with a plan, with arrays of configurations, with parts of a schema in several places.

enum ShelfSchemaV1: VersionedSchema {
    static var versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Shelf.self, Owner.self] }

    @Model
    final class Shelf {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model
    final class Owner {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum ShelfSchemaV2: VersionedSchema {
    static var versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Shelf.self, Owner.self] }

    @Model
    final class Shelf {
        var name: String
        var width: Int = 1
        init(name: String) { self.name = name }
    }

    @Model
    final class Owner {
        var name: String
        var mail: String?
        init(name: String) { self.name = name }
    }
}

typealias Shelf = ShelfSchemaV2.Shelf
typealias Owner = ShelfSchemaV2.Owner

enum ShelfMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ShelfSchemaV1.self, ShelfSchemaV2.self] }
    static var stages: [MigrationStage] { [migrateV1toV2] }
    static let migrateV1toV2 = MigrationStage.lightweight(
        fromVersion: ShelfSchemaV1.self, toVersion: ShelfSchemaV2.self)
}

struct ShelfContainers {
    let url: URL

    /// What Xcode's template writes.
    func template() throws -> ModelContainer {
        let schema = Schema([Shelf.self, Owner.self])
        let modelConfiguration = ModelConfiguration(schema: schema, url: url, cloudKitDatabase: .none)
        return try ModelContainer(for: schema, configurations: [modelConfiguration])
    }

    func planned() throws -> ModelContainer {
        let schema = Schema(versionedSchema: ShelfSchemaV2.self)
        let configuration = ModelConfiguration(schema: schema, url: url)
        return try ModelContainer(
            for: schema, migrationPlan: ShelfMigrationPlan.self, configurations: [configuration])
    }

    func plannedForTypes() throws -> ModelContainer {
        try ModelContainer(
            for: Shelf.self, Owner.self, migrationPlan: ShelfMigrationPlan.self,
            configurations: ModelConfiguration(url: url))
    }

    func variable(_ configurations: [ModelConfiguration]) throws -> ModelContainer {
        try ModelContainer(for: Schema(Shelf.self, Owner.self), configurations: configurations)
    }

    func divided(shelves: URL, owners: URL) throws -> ModelContainer {
        let fullSchema = Schema([Shelf.self, Owner.self])
        let shelves = ModelConfiguration("shelves", schema: Schema([Shelf.self]), url: shelves)
        let owners = ModelConfiguration("owners", schema: Schema([Owner.self]), url: owners, cloudKitDatabase: .none)
        return try ModelContainer(for: fullSchema, configurations: shelves, owners)
    }

    /// The containers and configurations that apps ask for their parts.
    func describe(_ container: ModelContainer) -> [String] {
        var lines = container.configurations.map { configuration in
            "\(configuration.name) \(configuration.url.scheme ?? "") \(configuration.allowsSave)"
        }
        if let url = container.configurations.first?.url { lines.append(url.lastPathComponent) }
        if let plan = container.migrationPlan { lines.append("\(plan.schemas.count) versions") }
        return lines
    }

    func configurations() -> [ModelConfiguration] {
        [
            ModelConfiguration(), ModelConfiguration(isStoredInMemoryOnly: true), ModelConfiguration("named"),
            ModelConfiguration(for: Shelf.self, Owner.self),
            ModelConfiguration(for: Shelf.self, isStoredInMemoryOnly: true),
            ModelConfiguration(
                "all", schema: Schema([Shelf.self]), isStoredInMemoryOnly: false, allowsSave: true,
                groupContainer: .identifier("group.shelves"), cloudKitDatabase: .private("iCloud.shelves")),
            ModelConfiguration("none", groupContainer: .none, cloudKitDatabase: .none),
            ModelConfiguration(
                "url", schema: nil, url: url, allowsSave: false, cloudKitDatabase: .automatic),
        ]
    }

    /// The model an identifier names, as App Intents and deep links ask for it.
    func name(of identifier: PersistentIdentifier, in context: ModelContext) -> String? {
        guard let shelf = context.model(for: identifier) as? Shelf else { return nil }
        return shelf.name
    }
}
