import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// `ModelContainer.read`, and what `withContext` does with errors of getters.
@Suite struct ReadingTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    private func withFamily(_ body: (GraphStore) async throws -> Void) async throws {
        try await withGraphStore { store in
            try await store.save(Parent("P", children: [Child("a"), Child("b")]))
            try await body(store)
        }
    }

    /// The error that names the property, from whatever form of reading.
    private func check(_ error: any Error, _ place: SourceLocation = #_sourceLocation) {
        let error = error as? SwiftDataError
        #expect(error?.code == .unfulfilledFault, sourceLocation: place)
        let message = error?.message ?? "another error"
        #expect(message.contains("Parent.children"), "\(message)", sourceLocation: place)
        #expect(error?.identifiers.count == 1, sourceLocation: place)
    }

    @Test func `a relationship that nobody prefetched is an error and not an empty answer`() async throws {
        try await withFamily { store in
            do {
                let answer = try await store.container.read(lazyLoading: .forbidden) { context in
                    try await context.all(Parent.self).map(\.children.count)
                }
                Issue.record("answered \(answer)")
            } catch { check(error) }
            let counts = try await store.container.read(lazyLoading: .forbidden) { context in
                var descriptor = FetchDescriptor<Parent>()
                descriptor.relationshipKeyPathsForPrefetching = [\.children]
                return try await context.fetch(descriptor).map(\.children.count)
            }
            #expect(counts == [2])
        }
    }

    @Test func `the same in the blocking form, and with a block that awaits nothing`() async throws {
        try await withFamily { store in
            func block() throws -> [Int] {
                try store.container.read(lazyLoading: .forbidden) { context in
                    try context.fetch(FetchDescriptor<Parent>()).map(\.children.count)
                }
            }
            do { Issue.record("answered \(try block())") } catch { check(error) }
            let model = try await ModelContext(store.container).only(Parent.self).persistentModelID
            do {
                let answer = try await store.container.read(lazyLoading: .forbidden) { context in
                    (context.registeredModel(for: model) as Parent?) == nil
                        ? try Self.blockingCount(context) : 0
                }
                Issue.record("answered \(answer)")
            } catch { check(error) }
        }
    }

    private static func blockingCount(_ context: ModelContext) throws -> Int {
        try context.fetch(FetchDescriptor<Parent>()).reduce(0) { $0 + $1.children.count }
    }

    @Test func `withContext throws it too, although nothing was changed`() async throws {
        try await withFamily { store in
            for isolation in [nil, IsolationLevel.serializable] {
                do {
                    let answer = try await store.container.withContext(isolation: isolation, lazyLoading: .forbidden) {
                        context in try await context.all(Parent.self).map(\.children.count)
                    }
                    Issue.record("answered \(answer)")
                } catch { check(error) }
            }
            func block() throws -> [Int] {
                try store.container.withContext(lazyLoading: .forbidden) { context in
                    try context.fetch(FetchDescriptor<Parent>()).map(\.children.count)
                }
            }
            do { Issue.record("answered \(try block())") } catch { check(error) }
        }
    }

    @Test func `a load that fails is an error as well`() async throws {
        try await withFamily { store in
            do {
                let answer = try await store.container.read { context in
                    let parent = try await context.only(Parent.self)
                    try await store.database.execute("ALTER TABLE child RENAME TO lost")
                    return parent.children.count
                }
                Issue.record("answered \(answer)")
            } catch {
                check(error)
                #expect((error as? SwiftDataError)?.sqlState == "42P01")
            }
        }
    }

    @Test func `each of two readings, one within the other, throws its own errors`() async throws {
        try await withFamily { store in
            let outer = try await store.container.read(lazyLoading: .forbidden) { context in
                let parent = try await context.only(Parent.self)
                do {
                    let answer = try await store.container.read(lazyLoading: .forbidden) { inner in
                        try await inner.all(Parent.self).map(\.children.count)
                    }
                    Issue.record("answered \(answer)")
                } catch { check(error) }
                return parent.name
            }
            #expect(outer == "P")
            do {
                let answer = try await store.container.read(lazyLoading: .forbidden) { context in
                    let parent = try await context.only(Parent.self)
                    let inner = try await store.container.read { try await $0.all(Parent.self).map(\.children.count) }
                    return inner + [parent.children.count]
                }
                Issue.record("answered \(answer)")
            } catch { check(error) }
        }
    }

    @Test func `an error of the block is thrown, and the getter's is logged`() async throws {
        try await withTestDatabase { database in
            let log = LineLog(.error)
            let container = try await ModelContainer(
                for: Graph.schema, configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
                logger: Logger(label: "test") { _ in log })
            try await container.withContext { $0.insert(Parent("P", children: [Child("a")])) }
            await expectStop {
                _ = try await container.read(lazyLoading: .forbidden) { context -> Int in
                    guard try await context.only(Parent.self).children.isEmpty else { return 1 }
                    throw Stop()
                }
            }
            #expect(log.lines.filter { $0.hasPrefix("A context ended with an error of a getter") }.count == 1)
            // The same of a context that is simply let go.
            try await Self.forget(container)
            #expect(log.lines.filter { $0.hasPrefix("A context ended with an error of a getter") }.count == 2)
            await container.close()
        }
    }

    private static func forget(_ container: ModelContainer) async throws {
        let context = ModelContext(container)
        context.lazyLoading = .forbidden
        #expect(try await context.only(Parent.self).children.isEmpty)
    }

    @Test func `reading costs what its fetches cost`() async throws {
        try await withFamily { store in
            store.recorder.reset()
            _ = try await store.container.read { try await $0.fetchCount(FetchDescriptor<Parent>()) }
            #expect(store.recorder.roundTrips == 1)
            _ = try await store.container.read { _ in 1 }
            #expect(store.recorder.roundTrips == 1)
        }
    }

    @Test func `with a level of isolation everything is of one moment, in a read-only transaction`() async throws {
        try await withFamily { store in
            store.recorder.reset()
            let counts = try await store.container.read(isolation: .repeatableRead) { context in
                let before = try await context.fetchCount(FetchDescriptor<Parent>())
                try await store.database.execute("INSERT INTO parent (pk, name) VALUES (900, 'late')")
                return [before, try await context.fetchCount(FetchDescriptor<Parent>())]
            }
            #expect(counts == [1, 1])
            #expect(store.recorder.statements.first == "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            #expect(store.recorder.statements.last == "COMMIT")
            #expect(store.recorder.roundTrips == 3)
            let later = try await store.container.read { context in
                let before = try await context.fetchCount(FetchDescriptor<Parent>())
                try await store.database.execute("INSERT INTO parent (pk, name) VALUES (901, 'later')")
                return [before, try await context.fetchCount(FetchDescriptor<Parent>())]
            }
            #expect(later == [2, 3])
        }
    }

    @Test func `a context that only reads saves nothing`() async throws {
        try await withFamily { store in
            let container = store.container
            await expectError(.readOnly) {
                try await container.read { context in
                    context.insert(Parent("new"))
                    try await context.save()
                }
            }
            await expectError(.readOnly) {
                try await container.read { context in try await context.only(Parent.self).name = "changed" }
            }
            await expectError(.readOnly) {
                try await container.read { context in
                    try context.delete(model: Parent.self)
                }
            }
            await expectError(.readOnly) {
                try await container.read(isolation: .serializable) { context in
                    try await context.transaction { context.delete(try await context.only(Parent.self)) }
                }
            }
            await expectError(.readOnly) {
                try await container.read { context in
                    try await context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
                }
            }
            let parent = try await ModelContext(container).only(Parent.self)
            #expect(parent.name == "P")
            // What is taken back is no change.
            let name = try await container.read { context in
                let parent = try await context.only(Parent.self)
                parent.name = "changed"
                context.rollback()
                return parent.name
            }
            #expect(name == "P")
        }
    }

    @Test func `reading is done again while the error is retryable`() async throws {
        try await withFamily { store in
            let runs = Shared(0)
            let name = try await store.container.read { context in
                runs.withLock { $0 += 1 }
                if runs.value < 3 { throw SwiftDataError(.conflict, "somebody was faster") }
                return try await context.only(Parent.self).name
            }
            #expect(name == "P")
            #expect(runs.value == 3)
            await expectError(.conflict) {
                try await store.container.read(attempts: 2) { _ in
                    runs.withLock { $0 += 1 }
                    throw SwiftDataError(.conflict, "somebody was faster")
                }
            }
            #expect(runs.value == 5)
        }
    }

    @Test func `work that has committed something is not done again`() async throws {
        try await withFamily { store in
            let runs = Shared(0)
            let fails = SwiftDataError(.conflict, "somebody was faster")
            await expectError(.conflict) {
                try await store.container.withContext { context in
                    runs.withLock { $0 += 1 }
                    context.insert(Parent("Q"))
                    try await context.save()
                    throw fails
                }
            }
            #expect(runs.value == 1)
            await expectError(.conflict) {
                try await store.container.withContext { context in
                    runs.withLock { $0 += 1 }
                    try await context.execute(
                        "DELETE FROM \(table: Parent.self) WHERE \(column: \Parent.name) = \("Q")")
                    throw fails
                }
            }
            #expect(runs.value == 2)
            // A transaction that was rolled back has committed nothing.
            await expectError(.conflict) {
                try await store.container.withContext { context in
                    runs.withLock { $0 += 1 }
                    try await context.transaction {
                        context.insert(Parent("R"))
                        try await context.save()
                        throw fails
                    }
                }
            }
            #expect(runs.value == 5)
            let names = try await store.database.texts("SELECT name FROM parent ORDER BY name")
            #expect(names == ["P"])
        }
    }
}
