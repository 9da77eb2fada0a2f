import StrataClient
import StrataModels
import StrataRepository

/// Rows on their way into one class, batch by batch, within a transaction of the context.
final class RowInsertion {
    let plan: RowInsertPlan
    private let destination: RowDestination
    private let unit: UnitOfWork
    private let authorship: Authorship
    private let reportsIdentifiers: Bool
    /// The objects of the class that were in memory when the rows began to come.
    private let registered: Set<RowKey>
    /// Those of them whose rows were written.
    private var written: Set<RowKey> = []
    private var rowCount = 0
    private var result = InsertedRows()
    private let keys: KeySource
    /// Whether the last COPY of a batch goes on while the next rows are encoded.
    private let leavesCopyOpen: Bool
    /// The batch whose last COPY goes on.
    private var underWay: RowWriting?
    /// Why a batch that was under way was not written.
    private var failure: (any Error)?

    /// Throws ``SwiftDataError`` for what cannot be inserted.
    init(
        into destination: RowDestination, _ properties: [RowInsertPlan.NamedValue],
        uniquePolicy: UniquePolicy?, reportsIdentifiers: Bool, areThere: Bool, in context: ModelContext
    ) throws {
        self.destination = destination
        unit = context.unit
        // Of rows that come over time the first may have come later.
        try unit.requireTurn()
        try destination.requireNoChanges()
        let (entity, store) = (destination.entity, destination.session.store)
        plan = try RowInsertPlan(
            into: entity, properties, policy: uniquePolicy ?? context.uniquePolicy,
            isPolicyGiven: uniquePolicy != nil, mapping: store.mapping, store: store.identifier,
            tenant: store.rows.tenant)
        authorship = try context.authorship(in: store)
        self.reportsIdentifiers = reportsIdentifiers
        // A COPY that waits for its next rows is one statement: a limit of its time would run, a refused row would be told late, and
        // a cancellation would find it at work.
        leavesCopyOpen = areThere && unit.terms.limit == nil && store.configuration.limits.statementTimeout == nil
        registered = Set(destination.session.registeredModels(of: entity).map { $0._$state.key })
        let allocator = store.keys
        keys = KeySource(
            take: { allocator.take($0, for: entity)?.map { RowKey($0) } },
            reserve: { try allocator.reservation(of: $0, for: entity) })
        if reportsIdentifiers { result.identifiers = [] }
    }

    /// How many rows are encoded until those that are under way go on.
    static let rowsAtOnce = 64

    var session: StoreSession { destination.session }

    var purpose: String { "Rows were not inserted into \(plan.entity.name)" }

    /// An empty batch for the next rows.
    func makeBatch() -> RowBatch { RowBatch(plan, first: rowCount) }

    // MARK: Writing

    /// Tells the server who writes. Nothing where nobody is named.
    private var opening: PostgresBatch? {
        get throws {
            guard rowCount == 0 else { return nil }
            var batch = PostgresBatch()
            try batch.set(authorship)
            return batch
        }
    }

    /// From here on, objects may be read with values that are gone if the transaction fails.
    private func noteBeginning() {
        guard rowCount == 0 else { return }
        unit.stamps.save &+= 1
        unit.noteSaved(Journal())
    }

    /// Writes a batch when the one before is written, up to its last COPY: that goes on while the next rows are encoded. Blocks this thread.
    func write(_ batch: RowBatch) throws {
        noteBeginning()
        do {
            try session.withConnection(for: purpose) { connection in
                try throwFailure()
                if let opening = try opening { try connection.run(opening) }
                let writing = RowWriting(batch, keys: keys, on: connection)
                try writing.begin()
                if !leavesCopyOpen { try writing.finish() }
                took(writing)
            }
        } catch { throw explain(error) }
    }

    /// Writes a batch when the one before is written, up to its last COPY. As the blocking form.
    func write(_ batch: RowBatch) async throws {
        try Task.checkCancellation()
        noteBeginning()
        do {
            guard let connection = try session.transactionConnection() else { throw UnitOfWork.transactionHasEnded }
            try await unit.usingTransaction {
                try await unit.inTurn {
                    try unit.requireTurn(on: connection)
                    try throwFailure()
                    try await connection.within(unit.terms, unit.unobservedCall) {
                        if let opening = try opening { try await connection.run(opening) }
                        let writing = RowWriting(batch, keys: keys, on: connection)
                        try await writing.begin()
                        if !leavesCopyOpen { try await writing.finish() }
                        took(writing)
                    }
                }
            }
        } catch { throw explain(error) }
    }

    /// Lets rows that are under way go on as far as that goes without waiting.
    func advance() { underWay?.advance() }

    /// Writes what is left of the batch that is under way. What goes wrong is kept for the call that inserts. Blocks this thread.
    func finishUnderWay() {
        guard let writing = takeUnderWay() else { return }
        do {
            try writing.connection.within(unit.terms) { try writing.finish() }
            note(writing)
        } catch { fail(error) }
    }

    /// Writes what is left of the batch that is under way. As the blocking form.
    ///
    /// It goes on where the task is cancelled that needs the connection: the rows are another's. Their own task stops the server by itself.
    func finishUnderWay() async {
        guard let writing = takeUnderWay() else { return }
        do {
            try await writing.connection.carryingThrough {
                try await writing.connection.within(unit.terms) { try await writing.finish() }
            }
            note(writing)
        } catch { fail(error) }
    }

    private func fail(_ error: any Error) {
        failure = explain(error)
        unit.refusedRows = self
    }

    private func takeUnderWay() -> RowWriting? {
        defer { (underWay, unit.rowsUnderWay) = (nil, nil) }
        return underWay
    }

    private func took(_ writing: RowWriting) {
        rowCount += writing.batch.count
        guard leavesCopyOpen else { return note(writing) }
        underWay = writing
        unit.rowsUnderWay = self
    }

    func throwFailure() throws {
        if let failure { throw failure }
    }

    private func explain(_ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        // Unique values that are compared at COMMIT.
        if error.sqlState == "23505" { return SaveExecution.explain(error, mapping: plan.mapping) }
        return SwiftDataError(.storeFailure, "\(purpose): \(error.message)", underlying: error)
    }

    private func note(_ writing: RowWriting) {
        let execution = writing.execution
        result.insertedCount += execution.insertedCount
        let updated = execution.updatedKeys
        result.updatedCount += updated.count
        if !registered.isEmpty { written.formUnion(registered.intersection(updated)) }
        guard reportsIdentifiers else { return }
        let identity = session.store.identities[plan.entity.index]
        result.identifiers?.append(
            contentsOf: execution.keysOfRows.map { PersistentIdentifier(identity: identity, key: $0) })
    }

    // MARK: The call

    /// Runs what reads and encodes the rows, and ends what is under way; blocks this thread. An error of rows that were under way is the
    /// first, whatever else was thrown meanwhile.
    func perform(_ body: () throws -> Void) throws -> InsertedRows {
        defer { if unit.refusedRows === self { unit.refusedRows = nil } }
        do {
            try body()
            unit.finishRowsUnderWay()
            try throwFailure()
            return try settle()
        } catch {
            unit.finishRowsUnderWay()
            throw failure ?? error
        }
    }

    /// Runs what reads and encodes the rows, and ends what is under way. As the blocking form.
    func perform(_ body: () async throws -> Void) async throws -> InsertedRows {
        defer { if unit.refusedRows === self { unit.refusedRows = nil } }
        do {
            try await body()
            await unit.usingTransaction { await unit.inTurn {} }
            try throwFailure()
            return try settle()
        } catch {
            await unit.usingTransaction { await unit.inTurn {} }
            throw failure ?? error
        }
    }

    /// Brings the objects in memory in step with the rows.
    ///
    /// Throws where objects were changed while the rows came: nobody has asked to save those.
    private func settle() throws -> InsertedRows {
        try destination.requireNoChanges()
        guard rowCount > 0 else { return result }
        unit.stamps.save &+= 1
        session.noteWritten()
        if result.updatedCount > 0 {
            for model in session.registeredModels(of: plan.entity) where model._$state.phase != .inserted {
                let key = model._$state.key
                // An object that came since may have been read before its row was written, or after.
                guard written.contains(key) || !registered.contains(key) else { continue }
                unit.forgetSetByServer(plan.updatedSlots, of: model)
            }
        }
        if plan.setsRelationship { unit.forgetUnchangedEnds() }
        return result
    }
}
