import Foundation
import Logging
import Strata
import StrataTestSupport
import Testing

/// Contexts that save by themselves: the main context, and an actor's that was told to.
@Suite struct AutosaveTests {
    /// Waits until others find so many parents.
    private static func wait(for count: Int, in store: GraphStore) async throws {
        var found = 0
        for _ in 0..<2000 where found != count {
            found = try await store.count(Graph.Parent.self)
            if found != count { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(found == count)
    }

    @Test func `the main context saves its edits by itself, once for all that were made at once`() async throws {
        try await withGraphStore { store in
            let container = store.container
            await MainActor.run {
                let context = container.mainContext
                #expect(context.autosaveEnabled)
                context.insert(Graph.Parent("A"))
                context.insert(Graph.Parent("B"))
                #expect(context.hasChanges)
            }
            try await Self.wait(for: 2, in: store)
            #expect(store.work.count { $0.contains("INSERT") } == 1)
            await MainActor.run { #expect(!container.mainContext.hasChanges) }
        }
    }

    @Test func `an autosave that fails keeps the changes for the next save`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Account("taken", name: "A"))
            let container = store.container
            await MainActor.run {
                let context = container.mainContext
                context.uniquePolicy = .fail
                context.insert(Graph.Account("taken", name: "A"))
            }
            for _ in 0..<2000 where !store.work.contains(where: { $0.contains("INSERT") }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            await MainActor.run {
                #expect(container.mainContext.hasChanges)
                #expect(throws: SwiftDataError.self) { try container.mainContext.save() }
            }
        }
    }

    @Test func `an error that a getter or setter met holds autosave back, and is in the log`() async throws {
        try await withTestDatabase("autosave", template: .tables(of: Graph.schema)) { database in
            let log = LineLog(.error)
            let container = try await ModelContainer(
                for: Graph.schema, configurations: [ModelConfiguration(url: try #require(database.foundationURL))],
                logger: Logger(label: "test") { _ in log })
            await MainActor.run {
                let (context, other) = (container.mainContext, ModelContext(container))
                let (first, second) = (Graph.Child("first"), Graph.Child("second"))
                other.insert(first)
                other.insert(second)
                let parent = Graph.Parent("A")
                context.insert(parent)
                first.parent = parent
                parent.children = [first]
                parent.children = [second]
                parent.note = "a good edit"
            }
            // The other context is gone, with the errors of its own end.
            func lines() -> [String] { log.lines.filter { !$0.hasPrefix("A context ended") } }
            for _ in 0..<2000 where lines().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let held = lines().filter { $0.hasPrefix("Autosave waits") }
            #expect(held.count >= 2 && held.count == lines().count)
            await MainActor.run {
                let context = container.mainContext
                #expect(context.hasChanges)
                // All but the one that is thrown are in the log.
                #expect(throws: SwiftDataError.self) { try context.save() }
                #expect(lines().count == held.count * 2 - 1)
            }
            await MainActor.run { #expect(throws: Never.self) { try container.mainContext.save() } }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Parent>()) == 1)
            await container.close()
        }
    }

    @Test func `an actor's context saves by itself when it is told to`() async throws {
        try await withGraphStore { store in
            let actor = Keeper(modelContainer: store.container)
            await actor.add("A")
            try await Self.wait(for: 1, in: store)
        }
    }

    @Test func `other contexts save when they are told to`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            #expect(!context.autosaveEnabled)
            context.autosaveEnabled = true
            #expect(!context.autosaveEnabled)
            #expect(throws: SwiftDataError.self) { try context.throwUnreportedErrors() }
        }
    }
}

@ModelActor
private actor Keeper {
    func add(_ name: String) {
        modelContext.autosaveEnabled = true
        modelContext.insert(Graph.Parent(name))
    }
}
