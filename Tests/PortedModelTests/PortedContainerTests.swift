import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

@Suite struct PortedContainerTests {
    private func withContainers(_ body: (ShelfContainers) throws -> Void) async throws {
        try await withTestDatabase { database in
            try body(ShelfContainers(url: try #require(database.foundationURL)))
        }
    }

    private func use(_ container: ModelContainer) throws {
        defer { container.close() }
        let context = ModelContext(container)
        context.insert(Shelf(name: "A"))
        context.insert(Owner(name: "B"))
        try context.save()
        #expect(try container.count(Shelf.self) > 0)
        #expect(try container.count(Owner.self) > 0)
    }

    @Test func `containers open as apps open them`() async throws {
        try await withContainers { containers in
            try use(containers.template())
            try use(containers.variable([ModelConfiguration(url: containers.url)]))
            try use(containers.planned())
            try use(containers.plannedForTypes())
        }
    }

    @Test func `a container tells its plan, its configurations and their places`() async throws {
        try await withContainers { containers in
            let container = try containers.planned()
            defer { container.close() }
            let database = containers.url.lastPathComponent
            #expect(
                containers.describe(container)
                    == ["default \(containers.url.scheme ?? "") true", database, "2 versions"])
            #expect(container.configurations == [ModelConfiguration(schema: container.schema, url: containers.url)])
            #expect(ModelConfiguration("a").url == ModelConfiguration.environment)
            #expect(ModelConfiguration(url: ModelConfiguration.environment) == ModelConfiguration())
            let apple = containers.configurations()
            #expect(apple[5].groupAppContainerIdentifier == "group.shelves")
            #expect(apple[5].cloudKitContainerIdentifier == "iCloud.shelves")
            #expect(apple[6].cloudKitContainerIdentifier == nil)
        }
    }

    @Test func `parts of a schema lie in databases of their own`() async throws {
        try await withTestDatabase { shelves in
            try await withTestDatabase { owners in
                let (one, other) = (try #require(shelves.foundationURL), try #require(owners.foundationURL))
                let container = try ShelfContainers(url: one).divided(shelves: one, owners: other)
                #expect(container.configurations.count == 2)
                #expect(container.migrationPlan == nil)
                try use(container)
            }
        }
    }

    @available(*, deprecated, message: "spellings of the first beta")
    @Test func `the first beta's ways to open a container are accepted`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let full = Schema([Shelf.self, Owner.self])
            let shelves = ModelConfiguration(
                "shelves", schema: Schema([Shelf.self]), url: url, cloudKitContainerIdentifier: "iCloud.shelves")
            var owners = ModelConfiguration("owners", schema: Schema([Owner.self]), url: url)
            owners.postgresSchema = "owners"
            try use(ModelContainer(for: full, shelves, owners))
        }
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            try use(ModelContainer([Shelf.self, Owner.self], configurations: ModelConfiguration(url: url)))
            try use(ModelContainer(for: [Shelf.self, Owner.self], configurations: ModelConfiguration(url: url)))
        }
    }

    @Test func `a model is found by its identifier without try, and one that is gone is told by the next save`()
        async throws
    {
        try await withContainers { containers in
            let container = try containers.template()
            defer { container.close() }
            let context = ModelContext(container)
            let shelf = Shelf(name: "A")
            context.insert(shelf)
            try context.save()
            let id = shelf.persistentModelID
            #expect(context.model(for: id) === shelf)
            let reader = ModelContext(container)
            #expect(containers.name(of: id, in: reader) == "A")
            context.delete(shelf)
            try context.save()
            let late = ModelContext(container)
            #expect(containers.name(of: id, in: late) == "")
            #expect { try late.save() } throws: { ($0 as? SwiftDataError)?.code == .modelNotFound }
            try late.save()
            // A class that this container does not have.
            let other = try ModelContainer(for: Owner.self, configurations: ModelConfiguration(url: containers.url))
            defer { other.close() }
            let stranger = ModelContext(other)
            #expect(containers.name(of: id, in: stranger) == nil)
            #expect(throws: SwiftDataError.self) { try stranger.save() }
        }
    }
}
