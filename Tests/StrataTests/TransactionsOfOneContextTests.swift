import Foundation
import Strata
import Testing

@testable import StrataContext

/// Several calls of one actor, and one of them in a transaction of the actor's context.
@Suite(.timeLimit(.minutes(1))) struct TransactionsOfOneContextTests {
    private func withWriter(_ body: (Writer, ModelStore) async throws -> Void) async throws {
        // One connection: whoever loses it is found out.
        try await withModelStore(Graph.Parent.self, Graph.Child.self, connections: 1) { store in
            try await body(Writer(modelContainer: store.container), store)
        }
    }

    private func names(in store: ModelStore) async throws -> [String] {
        try await ModelContext(store.container).all(Graph.Parent.self).map(\.name)
    }

    @Test func `while one call is in a transaction the others are refused, and what it commits is there`() async throws
    {
        try await withWriter { writer, store in
            try await writer.add("stored")
            let (inside, goOn) = (Gate(), Gate())
            let first = Task { try await writer.transaction(inserting: "first", inside, goOn) }
            await inside.wait()
            for refused in Writer.Work.allCases {
                await expectError(.unsupportedFeature) { try await writer.perform(refused) }
            }
            goOn.open()
            try await first.value
            // Inserted by the second call, written by the transaction of the first.
            #expect(try await names(in: store) == ["stored", "first", "second"])
            for allowed in Writer.Work.allCases { try await writer.perform(allowed) }
            #expect(try await names(in: store).count == 0)
        }
    }

    @Test func `two transactions that begin at once: the second is refused, no connection is lost`() async throws {
        try await withWriter { writer, store in
            let (inside, goOn) = (Gate(), Gate())
            let other = Writer(modelContainer: store.container)
            let holding = Task { try await other.transaction(inserting: "other", inside, goOn) }
            await inside.wait()
            // The pool is empty, so this one waits for its connection.
            let first = Task { try await writer.transaction(inserting: "first") }
            while await !writer.isInTransaction { await Task.yield() }
            await expectError(.unsupportedFeature) { try await writer.transaction(inserting: "second") }
            goOn.open()
            try await holding.value
            try await first.value
            try await writer.transaction(inserting: "third")
            #expect(try await names(in: store).sorted() == ["first", "other", "third"])
        }
    }

    @Test func `no transaction begins while another call saves`() async throws {
        try await withWriter { writer, store in
            let held = try await HeldTable.hold("parent", in: store.database)
            let saving = Task { try await writer.add("saved") }
            try await held.isWaitedFor()
            await expectError(.unsupportedFeature) { try await writer.transaction(inserting: "second") }
            try await held.letGo()
            try await saving.value
            #expect(try await names(in: store) == ["saved"])
        }
    }

    @Test func `what the block starts is inside, and a level within belongs to one task`() async throws {
        try await withWriter { writer, store in
            try await writer.transactionOfChildren()
            #expect(try await names(in: store) == ["parent", "child"])
        }
    }

    @Test func `a transaction that ends before one within it is rolled back, and so is that`() async throws {
        try await withWriter { writer, store in
            let (inside, goOn) = (Gate(), Gate())
            let within = Shared<Task<Void, any Error>?>(nil)
            await expectError(.unsupportedFeature) {
                try await writer.transactionThatLeaves(within, inside, goOn)
            }
            goOn.open()
            let task = try #require(within.value)
            await expectError(.unsupportedFeature) { try await task.value }
            #expect(await !writer.isInTransaction)
            try await writer.transaction(inserting: "later")
            #expect(try await names(in: store) == ["later"])
        }
    }

    @Test func `an error that a getter met beside a transaction is none of its business`() async throws {
        try await withWriter { writer, store in
            try await writer.add("stored", child: "c")
            let reader = Writer(modelContainer: store.container)
            let (inside, goOn) = (Gate(), Gate())
            try await reader.hold()
            let first = Task { try await reader.transaction(inserting: "first", inside, goOn) }
            await inside.wait()
            #expect(await reader.childrenOfHeld() == 0)
            await #expect(throws: SwiftDataError.self) { try await reader.save() }
            #expect(await reader.childrenOfHeld() == 0)
            goOn.open()
            try await first.value
            // The second error waited for the transaction to end.
            await expectError(.unfulfilledFault) { try await reader.save() }
            #expect(await reader.childrenOfHeld() == 1)
            try await reader.save()
        }
    }

    @Test func `a transaction that fails forgets what others edited meanwhile, and no error of theirs`() async throws {
        try await withWriter { writer, store in
            let (inside, goOn) = (Gate(), Gate())
            let first = Task { try await writer.transaction(inserting: "first", inside, goOn, fails: true) }
            await inside.wait()
            await expectError(.unsupportedFeature) { try await writer.perform(.save) }
            goOn.open()
            await expectStop { try await first.value }
            #expect(await !writer.hasChanges)
            try await writer.transaction(inserting: "later")
            #expect(try await names(in: store) == ["later"])
        }
    }
}

@ModelActor
private actor Writer {
    /// What a second call may try.
    enum Work: CaseIterable {
        case save, transaction, fetch, count, enumerate, deleteHistory, deleteAll
    }

    private var held: Graph.Parent?

    var isInTransaction: Bool { !modelContext.unit.transactionLevels.isEmpty }
    var hasChanges: Bool { modelContext.hasChanges }

    func add(_ name: String, child: String? = nil) async throws {
        modelContext.insert(Graph.Parent(name, children: child.map { [Graph.Child($0)] } ?? []))
        try await modelContext.save()
    }

    func save() async throws { try await modelContext.save() }

    func transaction(inserting name: String, _ inside: Gate? = nil, _ goOn: Gate? = nil, fails: Bool = false)
        async throws
    {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent(name))
            inside?.open()
            await goOn?.wait()
            if fails { throw Stop() }
        }
    }

    func perform(_ work: Work) async throws {
        switch work {
        case .save:
            if isInTransaction { modelContext.insert(Graph.Parent("second")) }
            try await modelContext.save()
        case .transaction:
            try await modelContext.transaction { () async throws -> Void in }
        case .fetch: _ = try await modelContext.fetch(FetchDescriptor<Graph.Parent>())
        case .count: _ = try await modelContext.fetchCount(FetchDescriptor<Graph.Parent>())
        case .enumerate:
            try await modelContext.enumerate(FetchDescriptor<Graph.Parent>(), allowEscapingMutations: true) { _ in }
        case .deleteHistory:
            try await modelContext.deleteHistory(HistoryDescriptor(predicate: #Predicate { $0.author == "nobody" }))
        case .deleteAll:
            try modelContext.delete(model: Graph.Parent.self)
            try await modelContext.save()
        }
    }

    func transactionOfChildren() async throws {
        let (inside, goOn) = (Gate(), Gate())
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("parent"))
            let child = Task { try await self.transaction(inserting: "child", inside, goOn) }
            await inside.wait()
            await expectError(.unsupportedFeature) { try await modelContext.save() }
            goOn.open()
            try await child.value
            let saved = Task { try await self.save() }
            try await saved.value
        }
    }

    /// Returns while a transaction within it is open in a task that it has started.
    func transactionThatLeaves(_ within: Shared<Task<Void, any Error>?>, _ inside: Gate, _ goOn: Gate) async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("outer"))
            let task = Task { try await self.transaction(inserting: "inner", inside, goOn) }
            within.withLock { $0 = task }
            await inside.wait()
        }
    }

    func hold() async throws { held = try await modelContext.only(Graph.Parent.self) }

    func childrenOfHeld() -> Int { held?.children.count ?? -1 }
}
