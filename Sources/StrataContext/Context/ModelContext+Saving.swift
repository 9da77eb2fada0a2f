import Foundation
import StrataClient
import StrataModels
import StrataRepository

extension ModelContext {
    /// Writes all unsaved changes, all or nothing; blocks this thread. One round trip, two where unique values are
    /// concerned; none when nothing changed.
    ///
    /// After an error the context holds the changes as before. Posts ``willSave`` and ``didSave``.
    /// - Throws: ``SwiftDataError``: `conflict`, `uniqueConstraint`, `deleteDenied`, `invalidValue`, `readOnly`,
    ///   `outcomeUnknown`, `storeFailure`; `unsupportedFeature` while another task saves this context or is in a transaction of
    ///   it; or the first error that a getter or setter could not throw (the others are logged).
    public func save() throws {
        try save(ending: nil)
    }

    /// - Parameter scope: the transaction that ends with this save. It is committed with the changes where that can be: it is no
    ///   part of another one, there is one store, and there are changes.
    func save(ending scope: TransactionScope?) throws {
        guard let save = try beginSave(ending: scope) else { return }
        defer { unit.endSaves() }
        do { try perform(save.parts) } catch {
            for connection in save.connectionsToUndo { try? connection.run(PendingSave.undoing) }
            throw fail(save, error)
        }
        finish(save)
    }

    /// What asynchronous callers get as `save`: see the module Strata.
    package func suspendingSave() async throws {
        try await suspendingSave(ending: nil)
    }

    func suspendingSave(ending scope: TransactionScope?) async throws {
        try await prepareSave()
        guard let save = try beginSave(ending: scope) else { return }
        defer { unit.endSaves() }
        // Whoever runs while this waits may edit what is being written.
        for store in save.stores { store.allowEdits() }
        do {
            if save.isTogether { try await performTogether(save) } else { try await perform(save.parts) }
        } catch {
            throw fail(save, error)
        }
        finish(save)
    }

    /// Writes several stores within the context's transaction, or none of them. In one turn: what other tasks of the transaction send would stand
    /// behind the savepoints, and go with them.
    private func performTogether(_ save: Save) async throws {
        try Task.checkCancellation()
        try await unit.usingTransaction {
            try await unit.saving(on: save.connections) {
                do {
                    for part in save.parts { try await send(part) }
                } catch {
                    for connection in save.connectionsToUndo { await connection.runUncancelled(PendingSave.undoing) }
                    throw error
                }
            }
        }
    }

    /// A save that has begun.
    private struct Save {
        /// What is written, store by store.
        let stores: [PendingSave]
        /// The transaction that is committed with it.
        let ending: TransactionScope?
        /// What observers are told of.
        let observed: CallsInProgress?

        /// Each store is written. Then those of several commit the transaction that they have for this save alone, or release the savepoint
        /// that they have in the context's.
        var parts: [StorePart] {
            let saves = stores.map { StorePart(session: $0.session, operation: $0, observed: observed) }
            guard stores.count > 1 else { return saves }
            return saves
                + StorePart.commits(of: stores.map(\.session), savepoint: isTogether ? PendingSave.savepoint : nil)
        }

        /// Whether several stores are written within the context's transaction, which may go on when one of them refuses.
        var isTogether: Bool { stores.count > 1 && stores.contains { $0.session.connection != nil } }

        var connections: [PostgresConnection] { stores.compactMap(\.session.connection) }

        /// The connections of stores that were written before another store refused.
        var connectionsToUndo: [PostgresConnection] {
            connections.filter { $0.transactionState.has(savepoint: PendingSave.savepoint) }
        }
    }

    // MARK: Collect

    /// Reads what collecting would read on a blocked thread: keys that there were none of, and what is needed to undo deletions.
    private func prepareSave() async throws {
        guard unit.lacksKeys || unit.undoManager != nil else { return }
        try unit.requireTurn()
        let transaction = unit.transaction.innermost
        if unit.lacksKeys {
            for session in unit.sessions where session.store.configuration.allowsSave {
                await session.store.keys.fill()
            }
        }
        try await loadForUndo()
        try unit.requireOpen(transaction)
    }

    /// `nil` when there is nothing to write.
    private func beginSave(ending scope: TransactionScope?) throws -> Save? {
        try unit.requireTurn()
        // What is left out for its key is said by this save, and not by the next.
        unit.giveKeysOfParts(leavesOutTwins: true)
        try throwUnreportedErrors()
        guard unit.hasChanges else { return nil }
        guard !unit.isSaving else { throw saveUnderWay }
        guard !unit.onlyReads else { throw unit.onlyReadsRefusal("has unsaved changes") }
        unit.giveKeys()
        SaveNotifications.postBefore(self)
        // Those whose parts have got keys now, or come from an observer.
        unit.giveKeysOfParts(leavesOutTwins: true)
        try throwUnreportedErrors()
        unit.undoManager?.closeGroup()
        let saves = try collect()
        return Save(
            stores: saves, ending: scope.flatMap { unit.ends($0, with: saves) ? $0 : nil },
            observed: unit.begin(.save, "save"))
    }

    var saveUnderWay: SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "A save of this context is under way in another task. Let one task at a time save a context, or give each its own."
        )
    }

    /// What is to be written, which has begun to be.
    private func collect() throws -> [PendingSave] {
        let sessions = unit.sessions.filter { unit.hasChanges(in: $0) }
        for session in sessions where !session.store.configuration.allowsSave {
            throw SwiftDataError(
                .readOnly,
                "The configuration \"\(session.store.configuration.name)\" does not allow saving (allowsSave: false), but this "
                    + "context has changes of its objects. Roll back, or change them through another configuration.")
        }
        try unit.requireOwnRows()
        let dates = SaveDates(unit)
        do {
            let saves = try sessions.map {
                try PendingSave(
                    unit, session: $0, context: self, commits: sessions.count == 1, date: dates?.date ?? .now)
            }
            unit.begin(saves, dates)
            return saves
        } catch {
            dates?.takeBack(in: unit)
            throw error
        }
    }

    /// Moves ``historyToken`` to what was committed; `nil` if nothing was.
    @discardableResult
    func noteMoments() -> DefaultHistoryToken? {
        guard !unit.moments.isEmpty else { return nil }
        var token = historyToken ?? DefaultHistoryToken()
        for (store, position) in unit.moments { token.positions[store] = position }
        unit.moments = []
        historyToken = token
        return token
    }

    // MARK: Apply

    private func fail(_ save: Save, _ error: any Error) -> any Error {
        let reason = container.absence(behind: error) ?? error
        save.observed?.end(reason)
        unit.noteOutcome(of: error)
        return reason
    }

    private func finish(_ save: Save) {
        save.observed?.end()
        for store in save.stores {
            unit.noteSaved(store.apply(in: unit))
            store.session.noteWritten()
        }
        unit.unsaved.removeSaved(by: save.stores)
        // What was edited while this save was under way.
        if unit.hasChanges { unit.autosave?.edited() }
        var tokens: [DefaultHistoryToken] = []
        for store in save.stores {
            if let position = store.moment.position {
                unit.moments.append((store.session.store.identifier, position))
            }
        }
        if let scope = save.ending, unit.hasEnded {
            if let token = endTransaction(scope) { tokens.append(token) }
        } else if !unit.transaction.isOpen, let token = noteMoments() {
            tokens.append(token)
        }
        SaveNotifications.postAfter(self, save.stores, tokens)
    }
}
