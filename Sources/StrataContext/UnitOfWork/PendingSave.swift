import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Everything unsaved of one store, on its way to the server: changes by predicate, then the objects, in one transaction.
final class PendingSave: StoreOperation {
    let session: StoreSession
    /// What it writes.
    private let contents: SaveContents
    private var request: SaveRequest { contents.request }
    private var updates: [BulkUpdateExecution] { contents.updates }
    private let envelope: Envelope
    private var result: SaveResult?
    private var envelopeMoment = HistoryMoment()
    /// The keys of rows that bulk deletions deleted, and that delete rules took along.
    private var bulkDeleted: [(root: EntityMapping, key: RowKey)] = []
    /// The keys of rows to which bulk deletions gave a date, and delete rules.
    private var bulkSoftlyDeleted: [SoftlyDeletedRow] = []
    /// What is around the objects' own transaction or savepoint.
    private enum Envelope {
        /// Nothing: the objects' transaction is all there is.
        case none
        /// A transaction, committed with the last batch or later, when other stores are as far.
        case transaction(isCommittedHere: Bool)
        /// A savepoint in the transaction of the context, released with the last batch or later, when other stores are as far.
        case savepoint(isReleasedHere: Bool)
    }

    /// The savepoint around a save within the context's transaction.
    static let savepoint = "strata_envelope"

    /// Whether the transaction of the context is committed with the last batch.
    private var isLast = false

    /// The transaction of the context, which this save is in, is committed with it.
    func endsTransaction() {
        isLast = true
        if case .none = envelope { request.commitsTransaction = true }
    }

    private var hasEnvelope: Bool { if case .none = envelope { false } else { true } }

    /// - Parameter commits: whether the transaction is committed, or the savepoint released, by this operation; otherwise by another one,
    ///   when other stores are as far.
    /// - Parameter date: the date of the save.
    init(_ unit: UnitOfWork, session: StoreSession, context: ModelContext, commits: Bool, date: Date) throws {
        self.session = session
        contents = try SaveContents(unit, session: session, context: context, date: date)
        let isInside = session.connection != nil
        if contents.bulkChanges.isEmpty && commits {
            envelope = .none
            request.insideTransaction = isInside
        } else {
            envelope = isInside ? .savepoint(isReleasedHere: commits) : .transaction(isCommittedHere: commits)
            request.insideTransaction = true
        }
    }

    /// Whether the objects can be edited while they are written.
    private var allowsEdits = false

    /// From here on the objects can be edited while they are written.
    func allowEdits() {
        allowsEdits = true
        for models in [request.inserted, request.changed, request.deleted] {
            for model in models { model._$state.beginSave() }
        }
    }

    /// The save is over. Does nothing for what was written.
    func abandon(in unit: UnitOfWork) {
        guard allowsEdits else { return }
        for models in [request.inserted, request.changed, request.deleted] {
            for model in models where model._$state.isUnderWay { unit.abandon(model) }
        }
    }

    // MARK: The operation

    private enum Step {
        /// Sends what is around the objects, and the changes by predicate, where there are any.
        case opening
        /// The changes by predicate were sent.
        case bulkChanges
        case objects(SaveAttempts)
        /// Ends what is around the objects.
        case closing
        case closed
        /// Undoes what is around the objects.
        case undoing(any Error)
        case undone(any Error)
    }

    private var step = Step.opening

    func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .opening:
                let opening = try self.opening()
                step = .bulkChanges
                if let opening { return opening }
            case .bulkChanges:
                for update in updates { update.noteOverwritten(in: request) }
                if !bulkSoftlyDeleted.isEmpty { noteOverwrittenDates() }
                // Known now: another task of the transaction may have sent something while this save waited for its turn.
                request.followsWrites = session.connection?.mayHaveStored ?? false
                step = .objects(SaveAttempts(request, mapping: session.store.mapping))
            case .objects(let save):
                if let batch = try save.next() { return batch }
                result = save.result
                step = .closing
            case .closing:
                step = .closed
                if let closing = try self.closing() { return closing }
            case .undoing(let failure):
                step = .undone(failure)
                return Self.undoing
            case .closed: return nil
            case .undone(let failure): throw failure
            }
        }
    }

    func recover(from error: any Error, in transaction: TransactionState) throws {
        var failure = error
        switch step {
        case .opening: throw error
        // The first error says more than one of undoing.
        case .undoing(let first), .undone(let first): throw first
        case .objects(let save):
            do { return try save.recover(from: error, in: transaction) } catch {
                failure = hasEnvelope ? explain(error) : error
            }
        case .bulkChanges: failure = explain(bulkChange: error)
        case .closing, .closed: failure = explain(error)
        }
        // The connection's pool ends a transaction that is left open; within the context's own it must go on.
        guard transaction.has(savepoint: Self.savepoint) else { throw failure }
        step = .undoing(failure)
    }

    /// Takes back what the save has sent within the context's transaction.
    static var undoing: PostgresBatch {
        var batch = PostgresBatch()
        batch.rollback(to: savepoint)
        batch.release(savepoint)
        // Whatever has become of the task: the transaction around it goes on, and would have what was sent.
        batch.runsToEnd = true
        return batch
    }

    private func explain(bulkChange error: any Error) -> any Error {
        guard let failure = error as? PostgresError else { return error }
        // RESTRICT has a code of its own since PostgreSQL 18.
        if let update = updates.first(where: { $0.statementName == failure.statementName }) {
            return update.explain(failure)
        }
        if let refusal = ServerRefusal(failure, mapping: session.store.mapping) {
            return refusal.error(store: session.store.identifier)
        }
        guard ["23503", "23001"].contains(failure.sqlState) else { return explain(failure) }
        return SwiftDataError(
            .deleteDenied,
            "A deletion by predicate was refused: objects that stay refer to one of those it would delete, by a relationship "
                + "with the rule deny or one that is not optional (\(failure.constraint ?? "a foreign key")). Delete those too, "
                + "or let them refer to something else.", details: failure.detail, underlying: failure)
    }

    private func explain(_ error: any Error) -> any Error {
        error is PostgresError ? SaveExecution.explain(error, of: request, mapping: session.store.mapping) : error
    }

    private func opening() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch envelope {
        case .none: return nil
        case .transaction: batch.begin()
        case .savepoint: batch.savepoint(Self.savepoint)
        }
        try batch.set(request.authorship)
        var updates = updates[...]
        for change in contents.bulkChanges {
            switch change {
            case .deletion(let deletion):
                let isSoft = deletion.plan.softly != nil
                batch.add(
                    try deletion.plan.statement(at: request.date),
                    onRow: { row in
                        let mapping = self.session.store.mapping
                        if isSoft {
                            self.bulkSoftlyDeleted.append(try mapping.softlyDeleted(row))
                        } else {
                            self.bulkDeleted.append(try mapping.doomed(row))
                        }
                    })
            case .update: try updates.popFirst()?.addStatement(to: &batch)
            }
        }
        return batch
    }

    /// Objects that were edited as well: a deletion by predicate has given their rows a date before, which is nobody else's change.
    private func noteOverwrittenDates() {
        for row in bulkSoftlyDeleted {
            guard let state = session.state(key: row.key, root: row.root), let model = state.model else { continue }
            let slots = state.changedSlots.intersection(type(of: model)._$descriptor.dates.ofPresence)
            if !slots.isEmpty { request.overwritten[ObjectIdentifier(model), default: SlotSet()].formUnion(slots) }
        }
    }

    private func closing() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch envelope {
        case .none, .transaction(isCommittedHere: false), .savepoint(isReleasedHere: false): return nil
        case .transaction(isCommittedHere: true): try commit(&batch)
        case .savepoint(isReleasedHere: true):
            batch.release(Self.savepoint)
            if isLast { try commit(&batch) }
        }
        return batch
    }

    private func commit(_ batch: inout PostgresBatch) throws {
        if request.asksForMoment {
            batch.add(
                try HistoryMoment.ofTransaction(in: session.store.mapping.schemaName),
                onRow: { [unowned self] in try envelopeMoment.take($0) })
        }
        batch.commit()
    }

    /// The place in the history after what this save committed itself.
    var moment: HistoryMoment {
        envelopeMoment.position == nil ? result?.moment ?? HistoryMoment() : envelopeMoment
    }

    /// Whether an object becomes one of another class.
    var changesClass: Bool { request.classChange != nil }

    func carriesOut(_ change: BulkChange) -> Bool { contents.bulkChanges.contains { $0 === change } }

    /// Brings the objects in step with what was written. Returns what it takes to undo that in memory.
    func apply(in unit: UnitOfWork) -> Journal {
        var application = SaveApplication(
            contents, session, result, bulkDeleted: bulkDeleted, bulkSoftlyDeleted: bulkSoftlyDeleted)
        defer { cleared = application.cleared }
        return application.apply(in: unit)
    }

    private var updated: [any PersistentModel] {
        guard let model = request.classChange?.model, !request.changed.contains(where: { $0 === model }) else {
            return request.changed + cleared
        }
        return request.changed + cleared + [model]
    }

    /// Objects that delete rules changed, and nobody else.
    private var cleared: [any PersistentModel] = []

    var identifiers:
        (inserted: [PersistentIdentifier], updated: [PersistentIdentifier], deleted: [PersistentIdentifier])
    {
        // Their rows were gone: the objects are deleted, not updated.
        let gone = result?.gone ?? []
        let lost = Set(gone.map { ObjectIdentifier($0) })
        return (
            request.inserted.map { $0.persistentModelID },
            updated.filter { !lost.contains(ObjectIdentifier($0)) }.map { $0.persistentModelID },
            (request.deleted + gone).map { $0.persistentModelID }
        )
    }
}
