import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Model private final class Apple {
    var name: String
    init(name: String) { self.name = name }
}
@Model private final class Pear {
    @Attribute(.preserveValueOnDeletion) var name: String
    var weight: Int = 0
    init(name: String) { self.name = name }
}

@Model private final class Fig {
    static let recordsHistory = false
    var name: String
    var tree: FigTree?
    init(name: String) { self.name = name }
}
@Model private final class FigTree {
    var name: String
    @Relationship(inverse: \Fig.tree) var figs: [Fig] = []
    init(name: String) { self.name = name }
}

/// Which classes are recorded, and who says so.
@Suite struct HistoryRecordedClassesTests {
    private func with<Result>(
        _ schema: Schema, _ database: TestDatabase, _ body: (ModelContext) async throws -> Result
    ) async throws -> Result {
        let container = try await ModelContainer(
            for: schema, configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
            logger: Logger(label: "test"))
        do {
            let result = try await body(ModelContext(container))
            await container.close()
            return result
        } catch {
            await container.close()
            throw error
        }
    }

    @Test func `a class that was not recorded for a while keeps its old changes, and gets new ones`() async throws {
        try await withTestDatabase { database in
            let (both, one) = (Schema(Apple.self, Pear.self), Schema(Apple.self))
            try await with(both, database) { context in
                let pear = Pear(name: "a")
                context.insert(pear)
                try await context.save()
                pear.weight = 1
                try await context.save()
            }
            try await with(one, database) { context in
                try await database.execute("UPDATE pear SET weight = 2")
                let known = try await context.fetchHistory(after: nil).transactions
                #expect(known.map(\.summary) == ["", ""], "a class that the container does not know")
                #expect(known.allSatisfy { $0.unknownEntities == ["Pear"] })
            }
            try await with(both, database) { context in
                try await database.execute("UPDATE pear SET name = 'b'", "DELETE FROM pear")
                let all = try await context.fetchHistory(after: nil).transactions
                #expect(
                    all.map(\.summary) == ["insert Pear", "update Pear: weight", "update Pear: name", "delete Pear"])
                guard case .delete(let deletion as DefaultHistoryDelete<Pear>) = all.last?.changes.first else {
                    _ = Issue.record("no deletion")
                    return
                }
                #expect(deletion.tombstone[\.name] as? String == "b")
                #expect(Set(all.flatMap(\.changes).map(\.changedPersistentIdentifier)).count == 1)
                let name = "Pear"
                let named = HistoryDescriptor<DefaultHistoryTransaction>(
                    predicate: #Predicate { $0.changes.contains { $0.changedPersistentIdentifier.entityName == name } })
                #expect(try await context.fetchHistory(named).count == 4)
            }
        }
    }

    private enum SilentPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { SampleTripsMigrationPlan.schemas }
        static var stages: [MigrationStage] { SampleTripsMigrationPlan.stages }
        static var recordsHistory: Bool { false }
    }

    private func open(
        _ plan: any SchemaMigrationPlan.Type, recordsHistory: Bool, _ database: TestDatabase
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.recordsHistory = recordsHistory
        return try await ModelContainer(
            for: Schema(versionedSchema: try #require(plan.schemas.last)), migrationPlan: plan,
            configurations: [configuration], logger: Logger(label: "test"))
    }

    @Test(.timeLimit(.minutes(1))) func `waiting for changes that nobody records is refused at once`() async throws {
        try await withModelStore(Fig.self, FigTree.self) { store in
            let container = store.container
            func expectRefusal(_ body: () async throws -> Void) async {
                let error = await #expect(throws: SwiftDataError.self) { try await body() }
                #expect(error?.code == .unsupportedFeature)
                #expect(
                    error?.message.contains("history of Fig is not recorded") == true, "\(String(describing: error))")
            }
            func expectRefusal<T>(_ descriptor: FetchDescriptor<T>) async {
                await expectRefusal {
                    var iterator = container.results(of: descriptor).makeAsyncIterator()
                    _ = try await iterator.next()
                }
            }
            await expectRefusal(FetchDescriptor<Fig>())
            await expectRefusal(FetchDescriptor<FigTree>(predicate: #Predicate { $0.figs.isEmpty }))
            var prefetching = FetchDescriptor<FigTree>()
            prefetching.relationshipKeyPathsForPrefetching = [\.figs]
            await expectRefusal(prefetching)
            await expectRefusal {
                var iterator = container.history(of: FigTree.self, Fig.self).makeAsyncIterator()
                _ = try await iterator.next()
            }
            let consumer = container.historyConsumer("figs", of: Fig.self)
            await expectRefusal { _ = try await consumer.catchUp { _, _ in } }
            await expectRefusal { try await consumer.run { _, _ in } }
            // What is recorded is observed as ever.
            var iterator = container.results(of: FetchDescriptor<FigTree>()).makeAsyncIterator()
            let trees = try await iterator.next()
            #expect(trees?.isEmpty == true)
        }
    }

    @Test func `a configuration without history and a plan with it contradict each other`() async throws {
        try await withTestDatabase { database in
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await open(SampleTripsMigrationPlan.self, recordsHistory: false, database)
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(
                error?.message.contains("recordsHistory = false in the plan") == true, "\(String(describing: error))")
        }
    }

    @Test func `a plan without history decides for all, and reading says that there is none`() async throws {
        for recordsHistory in [true, false] {
            try await withTestDatabase { database in
                let container = try await open(SilentPlan.self, recordsHistory: recordsHistory, database)
                #expect(
                    await code { _ = try await ModelContext(container).fetchHistory(after: nil) } == .unsupportedFeature
                )
                #expect(await code { _ = try await container.currentHistoryToken() } == .unsupportedFeature)
                await container.close()
            }
        }
    }
}
