import Foundation
import Strata
import StrataTestSupport
import Testing

/// Actors with a context of their own: what they keep, and where they work.
@Suite struct ModelActorTests {
    @Test func `an actor works with its own context and hands out identifiers`() async throws {
        try await withGraphStore { store in
            let gardener = Gardener(modelContainer: store.container)
            let id = try await gardener.plant("Oak", children: ["a", "b"])
            #expect(try await gardener.names(of: id) == ["a", "b"])
            #expect(gardener.modelContainer === store.container)
            #expect(try await store.context().fetchCount(FetchDescriptor<Graph.Child>()) == 2)
        }
    }

    @Test func `an actor's subscript finds objects in memory and in the database`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Parent("Oak"))
            let id = try #require(try await store.context().fetchIdentifiers(FetchDescriptor<Graph.Parent>()).first)
            let gardener = Gardener(modelContainer: store.container)
            store.recorder.reset()
            #expect(await gardener.findsOneObject(id))
            #expect(store.recorder.roundTrips == 1)
            try await gardener.remove(id)
            #expect(await gardener.name(of: id) == nil)
            try await gardener.save()
        }
    }

    @Test func `work runs on the actor's thread, wherever the actor was made`() async throws {
        try await withGraphStore { store in
            let container = store.container
            let made = await MainActor.run { Gardener(modelContainer: container) }
            #expect(await made.isOnMainThread() == false)
            await made.assertIsolation()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `many actors that wait in blocking calls leave Swift's threads free`()
        async throws
    {
        try await withGraphStore { store in
            // Nobody can write before this is let go: every call blocks a thread until then.
            let held = try await HeldTable.hold("parent", in: store)
            let begun = Shared(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    let gardener = Gardener(modelContainer: store.container)
                    group.addTask {
                        _ = try await gardener.plant("Tree \(number)", children: ["leaf"]) {
                            begun.withLock { $0 += 1 }
                        }
                    }
                }
                // More than Swift has threads have begun, and none can end; a task that has none of theirs ends.
                try await waitUntil { begun.value == 24 }
                try await held.isWaitedFor()
                #expect(await Task.detached { 1 + 1 }.value == 2)
                try await held.letGo()
                try await group.waitForAll()
            }
            #expect(try await store.context().fetchCount(FetchDescriptor<Graph.Parent>()) == 24)
        }
    }

    @Test func `the context of an actor's executor is not given to anybody else`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await withGraphStore { store in
                _ = Gardener(modelContainer: store.container).modelExecutor.modelContext
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("make a ModelContext(container) where you are"))
    }

    @Test func `a context that has left its actor unseen by the compiler refuses to work`() async throws {
        try await withGraphStore { store in
            let gardener = Gardener(modelContainer: store.container)
            await expectError(.unsupportedFeature) { try await gardener.workElsewhere { try await $0.save() } }
            await expectError(.unsupportedFeature) {
                try await gardener.workElsewhere { _ = try await $0.fetch(FetchDescriptor<Graph.Parent>()) }
            }
            await expectError(.unsupportedFeature) {
                try await gardener.workElsewhere { try await $0.transaction { () async throws -> Void in } }
            }
        }
    }

    @Test func `an actor with an initializer of its own`() async throws {
        try await withGraphStore { store in
            let counter = Counter(container: store.container, limit: 2)
            let filled = try await counter.fill()
            #expect(filled == 2)
        }
    }

    @Test func `an actor that is gone frees its context`() async throws {
        try await withGraphStore { store in
            weak var executor: DefaultSerialModelExecutor?
            do {
                let gardener = Gardener(modelContainer: store.container)
                _ = try await gardener.plant("Oak", children: [])
                executor = gardener.modelExecutor as? DefaultSerialModelExecutor
                #expect(executor != nil)
            }
            for _ in 0..<1000 where executor != nil { try await Task.sleep(for: .milliseconds(1)) }
            #expect(executor == nil)
        }
    }
}

/// A closure that Swift's own function calls is elsewhere, at the latest after it has waited.
private func leavingIsolation(_ context: ModelContext, _ work: (ModelContext) async throws -> Void) async throws {
    try await withTaskCancellationHandler {
        await Task.yield()
        try await work(context)
    } onCancel: {
    }
}

@ModelActor
private actor Gardener {
    private var planted = 0

    func plant(_ name: String, children: [String], willSave: @Sendable () -> Void = {}) throws -> PersistentIdentifier {
        let parent = Graph.Parent(name, children: children.map { Graph.Child($0) })
        modelContext.insert(parent)
        willSave()
        try modelContext.save()
        planted += 1
        return parent.persistentModelID
    }

    func names(of id: PersistentIdentifier) throws -> [String] {
        guard let parent = self[id, as: Graph.Parent.self] else { return [] }
        return parent.children.map(\.name).sorted()
    }

    func name(of id: PersistentIdentifier) -> String? {
        self[id, as: Graph.Parent.self]?.name
    }

    /// Finds the object twice: in the database, then in memory.
    func findsOneObject(_ id: PersistentIdentifier) -> Bool {
        guard let parent = self[id, as: Graph.Parent.self] else { return false }
        return self[id, as: Graph.Parent.self] === parent && self[id, as: Graph.Child.self] == nil
    }

    func remove(_ id: PersistentIdentifier) throws {
        if let parent = self[id, as: Graph.Parent.self] { modelContext.delete(parent) }
        try modelContext.save()
    }

    func save() throws { try modelContext.save() }

    func workElsewhere(_ work: @Sendable (ModelContext) async throws -> Void) async throws {
        try await leavingIsolation(modelContext, work)
    }

    func isOnMainThread() -> Bool { Thread.isMainThread }

    func assertIsolation() { preconditionIsolated() }
}

@ModelActor
private actor Counter {
    let limit: Int

    init(container: ModelContainer, limit: Int) {
        self.limit = limit
        let context = ModelContext(container)
        context.author = "counter"
        modelContainer = container
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    func fill() throws -> Int {
        for number in 0..<limit { modelContext.insert(Graph.Parent("\(number)")) }
        try modelContext.save()
        return try modelContext.fetchCount(FetchDescriptor<Graph.Parent>())
    }
}
