import StrataClient
import StrataModels
import StrataRepository

// MARK: Whose turn it is

extension UnitOfWork {
    /// Throws while a transaction is open and the task that asks is not inside its innermost level, and outside of the actor that
    /// the context belongs to.
    func requireTurn() throws {
        if turns?.isElsewhere == true {
            throw SwiftDataError(
                .unsupportedFeature,
                "The context of an actor was used outside of it. A function that takes a context and waits must run where its caller "
                    + "runs: set NonisolatedNonsendingByDefault for its target, and within a task group use the actor's own methods."
            )
        }
        guard isBesideTransaction else { return }
        throw SwiftDataError(
            .unsupportedFeature,
            "A transaction of this context is under way in another task. Let one task at a time work with the store through "
                + "a context, or give each its own.")
    }

    /// Whether a transaction is open of which the task that asks is no part.
    var isBesideTransaction: Bool {
        guard transaction.isOpen else { return false }
        return !(transaction.admitting?.isEntered ?? false)
    }

    /// Notes a level before anything is sent for it: from now on all others are outside.
    func enterLevel() -> TransactionScope {
        let scope = TransactionScope()
        transaction.enter(scope, nil)
        return scope
    }

    /// The level could not be opened: nothing was sent.
    func leaveLevel(_ scope: TransactionScope) {
        if let mark = transaction.level(of: scope)?.memory { _ = journal.take(backTo: mark) }
        transaction.remove(scope)
        hearErrorsBeside()
    }

    /// Throws when the level is not the innermost: what its block started goes on behind its end, or has lost the level around
    /// it.
    func requireInnermost(_ scope: TransactionScope) throws {
        guard transaction.innermost !== scope else { return }
        throw SwiftDataError(
            .unsupportedFeature,
            "A transaction ended before one within it did, and both are rolled back. Await in the block of a transaction "
                + "everything that it starts.")
    }

    /// Lets the last of these saves commit the transaction, if it can: it is the outermost, with one store, and nothing that its
    /// block has started is under way.
    func ends(_ scope: TransactionScope, with saves: [PendingSave]) -> Bool {
        guard transaction.levels.count == 1, transaction.isOpen(scope), sessions.count == 1, !transaction.isInUse else {
            return false
        }
        for save in saves { save.endsTransaction() }
        return true
    }

    /// Whether the transaction was committed: a save that finds nothing to write commits nothing.
    var hasEnded: Bool { sessions.allSatisfy { $0.connection?.hasTransaction == false } }

    // MARK: Statements under way

    /// Runs something that has the transaction's connection until it returns, also where it waits.
    func usingTransaction<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        transaction.beginUse()
        defer { transaction.endUse()?.resume() }
        return try await body()
    }

    /// Runs something that sends statements on the transaction's connections, after what tasks within it have begun to send
    /// before: a connection has one at a time.
    func inTurn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if !transaction.takeTurn() { await withUnsafeContinuation { transaction.awaitTurn($0) } }
        defer { transaction.passTurn()?.resume() }
        await rowsUnderWay?.finishUnderWay()
        return try await body()
    }

    /// The same for what only reads. When a task is cancelled that the block has started, its reading goes on to the end: stopping
    /// the server would make the whole transaction fail.
    func reading<Result>(on connection: PostgresConnection, _ body: () async throws -> Result) async throws -> Result {
        try await inTurn {
            try requireTurn(on: connection)
            guard isInTaskOfBlock else { return try await body() }
            return try await connection.withoutStopping { try await body() }
        }
    }

    /// The same for what saves. When a task is cancelled that the block has started, its save is carried through: from half of one the
    /// transaction could not go on.
    func saving<Result>(
        on connections: [PostgresConnection], _ body: () async throws -> Result
    ) async throws -> Result {
        try await inTurn {
            for connection in connections { try requireTurn(on: connection) }
            guard isInTaskOfBlock else { return try await body() }
            return try await Self.carryingThrough(connections[...], body)
        }
    }

    private static func carryingThrough<Result>(
        _ connections: ArraySlice<PostgresConnection>, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let first = connections.first else { return try await body() }
        return try await first.carryingThrough { try await carryingThrough(connections.dropFirst(), body) }
    }

    /// Whether a task asks that the block of the innermost level has started, and not the one that runs the block.
    private var isInTaskOfBlock: Bool { transaction.innermost?.isOwnedByCurrentTask == false }

    /// Throws when the transaction, or the level of the task that asks, has ended while it waited for its turn: somebody else may
    /// have the connection by then.
    func requireTurn(on connection: PostgresConnection) throws {
        try requireTurn()
        try refusedRows?.throwFailure()
        guard sessions.contains(where: { $0.connection === connection }) else { throw Self.transactionHasEnded }
    }

    /// Throws when the transaction, or the level of it that the task was in, has ended while it waited for something.
    func requireOpen(_ scope: TransactionScope?) throws {
        guard let scope, !transaction.isOpen(scope) else { return }
        throw Self.transactionHasEnded
    }

    static var transactionHasEnded: SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "The transaction has ended before a task that its block started could read or save. Await within the block what it "
                + "starts.")
    }

    /// Ends what is under way on the transaction's connection, and throws while another task of the transaction sends statements: a thread
    /// that is blocked cannot wait for it.
    func requireFreeTurn() throws {
        guard transaction.isTurnTaken else {
            finishRowsUnderWay()
            try refusedRows?.throwFailure()
            return
        }
        throw SwiftDataError(
            .unsupportedFeature,
            "A task within this transaction is reading or saving, and a call that blocks its thread, such as reading a property "
                + "that is not loaded, cannot wait for it. Await the one before the other, or use the asynchronous form."
        )
    }

    /// Rows that go on their way have the connection; blocks this thread until they have arrived.
    func finishRowsUnderWay() { rowsUnderWay?.finishUnderWay() }

    /// Returns when nothing is under way on the transaction's connections: what a block has started and not awaited may be.
    func awaitUses() async {
        if transaction.isInUse { await withUnsafeContinuation { transaction.awaitEndOfUses($0) } }
    }
}

// MARK: Levels

extension UnitOfWork {
    /// The statements that open the level, to be sent on each session's connection.
    func openingBatch(_ scope: TransactionScope, _ isolation: IsolationLevel?) -> PostgresBatch {
        var batch = PostgresBatch()
        undoManager?.closeGroup()
        guard transaction.isOpen(scope) else { return batch }
        let mark = journal.mark(LevelBeginning(self))
        transaction.change(scope) { $0 = mark }
        if let name = savepoint(of: scope) {
            batch.savepoint(name)
        } else {
            batch.begin(isolation, readOnly: onlyReads)
        }
        return batch
    }

    /// The level's savepoint; `nil` for the outermost.
    func savepoint(of scope: TransactionScope) -> String? { transaction.savepoint(of: scope) }

    /// What ends the level in all stores to which anything was sent: the others have nothing to end.
    func commitParts(_ scope: TransactionScope) -> [StorePart] {
        let savepoint = savepoint(of: scope)
        return StorePart.commits(
            of: sessions.filter { $0.connection?.dropPrepended(savepoint: savepoint) == false }, savepoint: savepoint)
    }

    func rollbackBatch(_ scope: TransactionScope) -> PostgresBatch {
        var batch = PostgresBatch()
        if let name = savepoint(of: scope) { batch.rollback(to: name) } else { batch.rollback() }
        return batch
    }

    /// The innermost level was committed: what it saved belongs to the level around it.
    func closeLevel() {
        undoManager?.closeGroup()
        guard let closed = transaction.pop() else { return }
        guard !transaction.isOpen else {
            if let mark = closed.memory { journal.remove(mark: mark) }
            return
        }
        journal.removeAll()
        hearErrorsBeside()
    }

    /// The level was rolled back, and with it those within: unsaved changes are forgotten, saved ones undone, the last first;
    /// what was read of them is read again; and what was unsaved before the level is unsaved again.
    func undoLevel(_ scope: TransactionScope) {
        guard let level = transaction.level(of: scope) else { return }
        let beginning = level.memory.flatMap { journal.beginning(at: $0) }
        let earlierErrors = beginning?.earlierErrors(of: self) ?? []
        forgetUnsaved()
        errors.reset(to: earlierErrors)
        while transaction.pop(through: scope) != nil {}
        if let mark = level.memory {
            // Observers may read something meanwhile.
            let undone = journal.take(backTo: mark)
            undone.undo(in: self)
            if let stamp = undone.firstWrite { forgetWhatWasRead(since: stamp) }
        }
        beginning?.restore(in: self)
        if !transaction.isOpen { hearErrorsBeside() }
    }

    /// The transaction is over: what others met meanwhile concerns the next save, and what they edited is to be saved.
    private func hearErrorsBeside() {
        guard !transaction.isOpen else { return }
        errors.hearBeside()
        if autosave != nil, hasChanges { autosave?.edited() }
        // What it has undone is no edit; and whoever waited for its end reads now.
        if !editWatch.isEmpty { editWatch.edited() }
    }

    /// Something was written in the open transaction, if there is one.
    func noteSaved(_ changes: Journal) {
        guard transaction.isOpen else { return }
        stamps.read += 1
        journal.append(.written(readStamp: stamps.read))
        journal.append(changes)
    }

    /// The objects that open levels have inserted and saved. They keep what they have when something is forgotten, to be read
    /// again: their rows are locked, so nobody else changes them, and if those levels fail too, memory is all there is of them.
    /// Not those of which there is the object that stood for the row before.
    var insertedInTransaction: Set<ObjectIdentifier> {
        Set(journal.inserted.map { ObjectIdentifier($0) })
    }

    /// Objects whose values were read after rows were written that are now what they were before.
    private func forgetWhatWasRead(since stamp: UInt32) {
        let new = insertedInTransaction
        var models: [any PersistentModel] = []
        for session in sessions {
            session.forEachState { state in
                guard state.phase == .registered, state.changedSlots.isEmpty, state.readStamp >= stamp,
                    let model = state.model
                else { return }
                models.append(model)
            }
        }
        for model in models {
            let descriptor = type(of: model)._$descriptor
            // What the server computes of a new object is not what memory has, but follows from it.
            let slots =
                new.contains(ObjectIdentifier(model))
                ? descriptor.generatedSlots : SlotSet(descriptor.properties.indices)
            guard !slots.isEmpty else { continue }
            forgetValues(of: model, in: slots)
            for slot in slots.slots { descriptor.properties[slot].announceChange(in: model) }
        }
    }
}
