import Foundation
import Strata
import StrataTestSupport
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
            try await waitUntil { await writer.isInTransaction }
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

    @Test(.timeLimit(.minutes(1))) func `tasks of one transaction read and save one after the other`() async throws {
        try await withWriter { writer, store in
            try await writer.add("stored")
            let counts = try await writer.readAtOnce()
            #expect(counts == [2, 2, 2, 2, 2, 2])
            #expect(try await names(in: store) == ["stored", "first", "second"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `reading a property that is not loaded beside another task is refused`()
        async throws
    {
        try await withWriter { writer, store in
            try await writer.add("stored", child: "c")
            let held = try await HeldTable.hold("parent", mode: "ACCESS EXCLUSIVE", in: store.database)
            let work = Task { try await writer.readWhileFetching(held) }
            try await work.value
            #expect(try await names(in: store) == ["stored"])
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `a cancelled task does not take the transaction along that it reads in`(enumerates: Bool) async throws {
        try await withWriter { writer, store in
            try await writer.add("stored", child: "c")
            let held = try await HeldTable.hold("child", mode: "ACCESS EXCLUSIVE", in: store.database)
            let transaction = Task { try await writer.transactionCancelling(enumerates: enumerates, held) }
            try await transaction.value
            #expect(try await names(in: store) == ["stored", "before", "after"])
        }
    }

    /// Stopping the server in the middle of a save would fail all of the transaction.
    @Test(.timeLimit(.minutes(1))) func `a cancelled task does not take the transaction along that it saves in`()
        async throws
    {
        try await withWriter { writer, store in
            let held = try await HeldTable.hold("parent", in: store.database)
            let transaction = Task { try await writer.transactionCancellingASave(held) }
            try await transaction.value
            #expect(try await names(in: store) == ["saved", "after"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a task that is cancelled behind another's save leaves the save alone`()
        async throws
    {
        try await withWriter { writer, store in
            let held = try await HeldTable.hold("parent", in: store.database)
            let transaction = Task { try await writer.transactionCancellingBehindASave(held) }
            try await transaction.value
            #expect(try await names(in: store) == ["saved", "after"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled transaction stops what its tasks save`() async throws {
        try await withWriter { writer, store in
            let held = try await HeldTable.hold("parent", in: store.database)
            let transaction = Task { try await writer.transactionWithSavingTask() }
            try await held.isWaitedFor()
            transaction.cancel()
            await #expect(throws: CancellationError.self) { try await transaction.value }
            try await held.letGo()
            #expect(try await names(in: store) == [])
            try await writer.add("later")
            #expect(try await names(in: store) == ["later"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `an enumeration cancelled between its batches leaves the transaction whole`()
        async throws
    {
        try await withWriter { writer, store in
            for name in ["a", "b", "c"] { try await writer.add(name) }
            try await writer.transactionCancellingBetweenBatches()
            #expect(try await names(in: store) == ["a", "b", "c", "after"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled transaction stops what its tasks read`() async throws {
        try await withWriter { writer, store in
            try await writer.add("stored", child: "c")
            let held = try await HeldTable.hold("child", mode: "ACCESS EXCLUSIVE", in: store.database)
            let transaction = Task { try await writer.transactionWithReadingTask() }
            try await held.isWaitedFor()
            transaction.cancel()
            await #expect(throws: CancellationError.self) { try await transaction.value }
            try await held.letGo()
            #expect(try await names(in: store) == ["stored"])
        }
    }

    @Test func `a task that a block has left behind does not read when the transaction has ended`() async throws {
        try await withWriter { writer, store in
            let reader = Shared<Task<Int, any Error>?>(nil)
            let held = try await HeldTable.hold("parent", in: store.database)
            let transaction = Task { try await writer.transactionLeaving(reader) }
            try await held.isWaitedFor()
            try await waitUntil { await writer.isTurnAwaited }
            try await held.letGo()
            try await transaction.value
            let task = try #require(reader.value)
            await expectError(.unsupportedFeature) { _ = try await task.value }
            try await writer.add("later")
            #expect(try await names(in: store) == ["saved", "later"])
        }
    }

    @Test func `a task that a block has left behind does not begin to read while the transaction ends`() async throws {
        try await withWriter { writer, store in
            let (late, goOn) = (Shared<Task<Int, any Error>?>(nil), Gate())
            let held = try await HeldTable.hold("child", mode: "ACCESS EXCLUSIVE", in: store.database)
            let transaction = Task { try await writer.transactionEndingWhileReading(held, late, goOn) }
            // It waits for the task that reads.
            try await waitUntil { await writer.isTransactionEnding }
            goOn.open()
            let task = try #require(late.value)
            await expectError(.unsupportedFeature) { _ = try await task.value }
            try await held.letGo()
            try await transaction.value
            #expect(try await names(in: store) == ["saved"])
        }
    }

    @Test func `a level within ends after what its tasks read, and the transaction goes on`() async throws {
        try await withWriter { writer, store in
            try await writer.transactionReadingWhileALevelEnds()
            #expect(try await names(in: store) == ["outer", "inner", "after"])
        }
    }

    @Test func `a level within begins after what its tasks read`() async throws {
        try await withWriter { writer, store in
            try await writer.add("stored", child: "c")
            store.recorder.reset()
            let held = try await HeldTable.hold("parent", mode: "ACCESS EXCLUSIVE", in: store.database)
            let transaction = Task { try await writer.transactionBeginningALevelWhileReading() }
            try await held.isWaitedFor()
            try await waitUntil { await writer.isTurnAwaited }
            try await held.letGo()
            try await transaction.value
            let flushes = store.recorder.flushes
            let reading = try #require(
                flushes.firstIndex { $0.contains { $0.hasPrefix("SELECT") && $0.contains("\"child\"") } })
            let savepoint = try #require(flushes.firstIndex { $0.contains { $0.hasPrefix("SAVEPOINT") } })
            #expect(reading < savepoint)
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

    var isInTransaction: Bool { modelContext.unit.transaction.isOpen }
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

    var isTurnAwaited: Bool { !modelContext.unit.transaction.awaitingTurn.isEmpty }

    func transactionLeaving(_ reader: Shared<Task<Int, any Error>?>) async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("saved"))
            let task = Task { try await self.count() }
            reader.withLock { $0 = task }
        }
    }

    var isTransactionEnding: Bool { modelContext.unit.transaction.levels.last?.isEnding == true }

    /// Returns while a task that it has started reads; another waits for the gate.
    func transactionEndingWhileReading(
        _ held: HeldTable, _ late: Shared<Task<Int, any Error>?>, _ goOn: Gate
    ) async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("saved"))
            try await modelContext.save()
            Task { try await self.parentsWithChildren() }
            try await held.isWaitedFor()
            let task = Task {
                await goOn.wait()
                return try await self.count()
            }
            late.withLock { $0 = task }
        }
    }

    private func parentsWithChildren() async throws -> Int {
        var descriptor = FetchDescriptor<Graph.Parent>()
        descriptor.relationshipKeyPathsForPrefetching = [\.children]
        return try await modelContext.fetch(descriptor).count
    }

    func transactionBeginningALevelWhileReading() async throws {
        try await modelContext.transaction { () async throws -> Void in
            async let reading = parentsWithChildren()
            while !modelContext.unit.transaction.isTurnTaken { await Task.yield() }
            try await modelContext.transaction { () async throws -> Void in
                let counted = try await count()
                #expect(counted == 1)
            }
            let read = try await reading
            #expect(read == 1)
        }
    }

    func transactionReadingWhileALevelEnds() async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("outer"))
            var reader: Task<Int, any Error>?
            try await modelContext.transaction { () async throws -> Void in
                modelContext.insert(Graph.Parent("inner"))
                try await modelContext.save()
                reader = Task { try await self.count() }
                await Task.yield()
            }
            // It may have come too late for its level.
            _ = try? await reader?.value
            modelContext.insert(Graph.Parent("after"))
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

    private func count() async throws -> Int {
        try await modelContext.fetchCount(FetchDescriptor<Graph.Parent>())
    }

    private func all() async throws -> Int { try await modelContext.fetch(FetchDescriptor<Graph.Parent>()).count }

    private func enumerated() async throws -> Int {
        var count = 0
        try await modelContext.enumerate(FetchDescriptor<Graph.Parent>(), batchSize: 1, allowEscapingMutations: true) {
            (_: Graph.Parent) async throws in
            count += 1
        }
        return count
    }

    func readAtOnce() async throws -> [Int] {
        try await modelContext.transaction { () async throws -> [Int] in
            modelContext.insert(Graph.Parent("first"))
            async let one = all()
            async let two = count()
            async let three = enumerated()
            async let saved: Void = save()
            async let four = enumerated()
            async let five = all()
            async let six = count()
            let counts = try await [one, two, three, four, five, six]
            try await saved
            modelContext.insert(Graph.Parent("second"))
            return counts
        }
    }

    func readWhileFetching(_ held: HeldTable) async throws {
        self.held = nil
        try await modelContext.transaction { () async throws -> Void in
            let child = try await modelContext.only(Graph.Child.self)
            async let fetched = all()
            try await held.isWaitedFor()
            #expect(child.parent == nil)
            try await held.letGo()
            let count = try await fetched
            #expect(count == 1)
            await expectError(.unfulfilledFault) { try await modelContext.save() }
            #expect(child.parent?.name == "stored")
        }
    }

    func transactionCancelling(enumerates: Bool, _ held: HeldTable) async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("before"))
            let reading = Task { try await self.readChildren(enumerates: enumerates) }
            try await held.isWaitedFor()
            reading.cancel()
            try await Task.sleep(for: .milliseconds(100))
            try await held.letGo()
            do { try await reading.value } catch is CancellationError {}
            let seen = try await count()
            #expect(seen == 2)
            modelContext.insert(Graph.Parent("after"))
        }
    }

    func transactionCancellingASave(_ held: HeldTable) async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("saved"))
            let saving = Task { try await self.save() }
            try await held.isWaitedFor()
            saving.cancel()
            try await Task.sleep(for: .milliseconds(100))
            try await held.letGo()
            try await saving.value
            let seen = try await count()
            #expect(seen == 1)
            modelContext.insert(Graph.Parent("after"))
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await self.save()
            }
            await #expect(throws: CancellationError.self) { try await late.value }
        }
    }

    func transactionCancellingBehindASave(_ held: HeldTable) async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("saved"))
            let saving = Task { try await self.save() }
            try await held.isWaitedFor()
            let counting = Task { try await self.count() }
            while !isTurnAwaited { await Task.yield() }
            counting.cancel()
            try await held.letGo()
            try await saving.value
            await #expect(throws: CancellationError.self) { _ = try await counting.value }
            modelContext.insert(Graph.Parent("after"))
        }
    }

    func transactionWithSavingTask() async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("lost"))
            async let saving: Void = save()
            try await saving
        }
    }

    private func readChildren(enumerates: Bool) async throws {
        if enumerates {
            try await modelContext.enumerate(
                FetchDescriptor<Graph.Child>(), batchSize: 1, allowEscapingMutations: true
            ) { (_: Graph.Child) async throws in }
        } else {
            _ = try await modelContext.fetch(FetchDescriptor<Graph.Child>())
        }
    }

    func transactionCancellingBetweenBatches() async throws {
        try await modelContext.transaction { () async throws -> Void in
            let reading = Task {
                try await modelContext.enumerate(
                    FetchDescriptor<Graph.Parent>(), batchSize: 1, allowEscapingMutations: true
                ) { (_: Graph.Parent) async throws in withUnsafeCurrentTask { $0?.cancel() } }
            }
            await #expect(throws: CancellationError.self) { try await reading.value }
            let seen = try await count()
            #expect(seen == 3)
            modelContext.insert(Graph.Parent("after"))
        }
    }

    func transactionWithReadingTask() async throws {
        try await modelContext.transaction { () async throws -> Void in
            modelContext.insert(Graph.Parent("lost"))
            async let children: Void = readChildren(enumerates: false)
            try await children
        }
    }

    func hold() async throws { held = try await modelContext.only(Graph.Parent.self) }

    func childrenOfHeld() -> Int { held?.children.count ?? -1 }
}
