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
        guard let saves = try beginSave() else { return }
        defer { unit.endSaves() }
        let ending = scope.flatMap { unit.ends($0, with: saves) ? $0 : nil }
        do { try observing { try drive(saves, $0) } } catch {
            unit.noteOutcome(of: error)
            throw error
        }
        finishSave(saves, ending: ending.flatMap { unit.hasEnded ? $0 : nil })
    }

    /// What asynchronous callers get as `save`: see the module Strata.
    package func suspendingSave() async throws {
        try await suspendingSave(ending: nil)
    }

    func suspendingSave(ending scope: TransactionScope?) async throws {
        try await prepareSave()
        guard let saves = try beginSave() else { return }
        defer { unit.endSaves() }
        // Whoever runs while this waits may edit what is being written.
        for save in saves { save.allowEdits() }
        let ending = scope.flatMap { unit.ends($0, with: saves) ? $0 : nil }
        do { try await observing { try await drive(saves, $0) } } catch {
            unit.noteOutcome(of: error)
            throw error
        }
        finishSave(saves, ending: ending.flatMap { unit.hasEnded ? $0 : nil })
    }

    // MARK: Collect

    /// Reads what collecting would read on a blocked thread: keys that there were none of, and what is needed to undo deletions.
    private func prepareSave() async throws {
        guard unit.lacksKeys || unit.undoManager != nil else { return }
        try unit.requireTurn()
        let transaction = unit.transactionLevels.last?.scope
        if unit.lacksKeys {
            for session in unit.sessions where session.store.configuration.allowsSave {
                await session.store.keys.fill()
            }
        }
        try await loadForUndo()
        try unit.requireOpen(transaction)
    }

    /// `nil` when there is nothing to write.
    private func beginSave() throws -> [PendingSave]? {
        try unit.requireTurn()
        try throwUnreportedErrors()
        guard unit.hasChanges else { return nil }
        guard !unit.isSaving else { throw saveUnderWay }
        guard !unit.onlyReads else { throw unit.onlyReadsRefusal("has unsaved changes") }
        unit.giveKeys()
        SaveNotifications.postBefore(self)
        unit.undoManager?.closeGroup()
        let saves = try collect()
        unit.begin(saves)
        return saves
    }

    var saveUnderWay: SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "A save of this context is under way in another task. Let one task at a time save a context, or give each its own."
        )
    }

    private func collect() throws -> [PendingSave] {
        let sessions = unit.sessions.filter { unit.hasChanges(in: $0) }
        for session in sessions where !session.store.configuration.allowsSave {
            throw SwiftDataError(
                .readOnly,
                "The configuration \"\(session.store.configuration.name)\" does not allow saving (allowsSave: false), but this "
                    + "context has changes of its objects. Roll back, or change them through another configuration.")
        }
        return try sessions.map {
            try PendingSave(unit, session: $0, context: self, commits: sessions.count == 1)
        }
    }

    // MARK: Drive

    private func drive(_ saves: [PendingSave], _ call: CallsInProgress?) throws {
        var leased: [(session: StoreSession, connection: PostgresConnection)] = []
        defer { for (session, connection) in leased { session.store.pool.release(connection) } }
        for save in saves {
            if let connection = save.session.connection {
                try unit.requireFreeTurn()
                try save.run(on: connection, call)
            } else {
                let connection = try lease { try save.session.store.pool.acquire(for: "save") }
                leased.append((save.session, connection))
                try save.run(on: connection, call)
            }
        }
        guard saves.count > 1 else { return }
        try commit(in: leased)
    }

    private func drive(_ saves: [PendingSave], _ call: CallsInProgress?) async throws {
        var leased: [(session: StoreSession, connection: PostgresConnection)] = []
        defer { for (session, connection) in leased { session.store.pool.release(connection) } }
        for save in saves {
            if let connection = save.session.connection {
                try await unit.usingTransaction {
                    try await unit.inTurn {
                        try unit.requireTurn(on: connection)
                        try await save.run(on: connection, call)
                    }
                }
            } else {
                let connection = try await lease { try await save.session.acquire(for: "save") }
                leased.append((save.session, connection))
                try await save.run(on: connection, call)
            }
        }
        guard saves.count > 1 else { return }
        try await commit(in: leased)
    }

    /// Tells the observers of calls of a save.
    private func observing(_ save: (CallsInProgress?) throws -> Void) throws {
        guard let call = unit.begin(.save, "save") else { return try save(nil) }
        do { try save(call) } catch {
            call.end(error)
            throw error
        }
        call.end()
    }

    private func observing(_ save: (CallsInProgress?) async throws -> Void) async throws {
        guard let call = unit.begin(.save, "save") else { return try await save(nil) }
        do { try await save(call) } catch {
            call.end(error)
            throw error
        }
        call.end()
    }

    private func lease<Lease>(_ acquire: () throws -> Lease) throws -> Lease {
        do { return try acquire() } catch let error as PostgresError { throw noConnection(error) }
    }

    private func lease<Lease>(_ acquire: () async throws -> Lease) async throws -> Lease {
        do { return try await acquire() } catch let error as PostgresError { throw noConnection(error) }
    }

    private func noConnection(_ error: PostgresError) -> SwiftDataError {
        SwiftDataError(.storeFailure, "Nothing was saved: \(error.message)", underlying: error)
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

    private func finishSave(_ saves: [PendingSave], ending scope: TransactionScope?) {
        for save in saves {
            unit.noteSaved(save.apply(in: unit))
            save.session.noteWritten()
        }
        unit.clearSaved(saves)
        // What was edited while this save was under way.
        if unit.hasChanges { unit.autosave?.edited() }
        var tokens: [DefaultHistoryToken] = []
        for save in saves {
            if let position = save.moment.position {
                unit.moments.append((save.session.store.identifier, position))
            }
        }
        if let scope {
            if let token = endTransaction(scope) { tokens.append(token) }
        } else if unit.transactionLevels.isEmpty, let token = noteMoments() {
            tokens.append(token)
        }
        SaveNotifications.postAfter(self, saves, tokens)
    }
}
