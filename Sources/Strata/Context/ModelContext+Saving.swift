import Foundation
import StrataClient
import StrataModels
import StrataRepository

extension ModelContext {
    /// Writes all unsaved changes, all or nothing; blocks this thread. One round trip, two where unique values are concerned;
    /// none when nothing changed.
    ///
    /// After an error the context holds the changes as before. Posts ``willSave`` and ``didSave``.
    /// - Throws: ``SwiftDataError``: `conflict`, `uniqueConstraint`, `deleteDenied`, `invalidValue`, `readOnly`,
    ///   `outcomeUnknown`, `storeFailure`; or the first error that a getter or setter could not throw.
    public func save() throws {
        guard let saves = try beginSave() else { return }
        do {
            try drive(saves)
        } catch {
            guard saves.count == 1, saves[0].shouldRetry(error) else { throw explain(error, saves) }
            // Somebody inserted the same unique values between the look-up and the insert: look again.
            let again = try collect()
            do { try drive(again) } catch { throw explain(error, again) }
            return finishSave(again)
        }
        finishSave(saves)
    }

    /// Writes all unsaved changes, all or nothing. One round trip, two where unique values are concerned; none when nothing
    /// changed.
    ///
    /// After an error the context holds the changes as before. Posts ``willSave`` and ``didSave``.
    /// - Throws: ``SwiftDataError``: `conflict`, `uniqueConstraint`, `deleteDenied`, `invalidValue`, `readOnly`,
    ///   `outcomeUnknown`, `storeFailure`; or the first error that a getter or setter could not throw.
    public func save() async throws {
        guard let saves = try beginSave() else { return }
        do {
            try await drive(saves)
        } catch {
            guard saves.count == 1, saves[0].shouldRetry(error) else { throw explain(error, saves) }
            let again = try collect()
            do { try await drive(again) } catch { throw explain(error, again) }
            return finishSave(again)
        }
        finishSave(saves)
    }

    // MARK: Collect

    /// `nil` when there is nothing to write.
    private func beginSave() throws -> [PendingSave]? {
        try throwUnreportedErrors()
        guard unit.hasChanges else { return nil }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        return try collect()
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

    private func drive(_ saves: [PendingSave]) throws {
        if saves.count == 1 {
            var save = saves[0]
            return try save.session.withConnection(for: "save") { try $0.perform(&save) }
        }
        var connections: [(session: StoreSession, connection: PostgresConnection, owned: Bool)] = []
        defer { for entry in connections where entry.owned { entry.session.store.pool.release(entry.connection) } }
        for save in saves {
            var save = save
            let connection = try save.session.connection ?? save.session.store.pool.acquire(for: "save")
            connections.append((save.session, connection, save.session.connection == nil))
            try connection.perform(&save)
        }
        for (index, entry) in connections.enumerated() where entry.owned {
            do { try entry.connection.run(Self.commit) } catch { throw halfSaved(error, connections.map(\.session), index) }
        }
    }

    private func drive(_ saves: [PendingSave]) async throws {
        if saves.count == 1 {
            var save = saves[0]
            if let connection = save.session.connection { return try await connection.perform(&save) }
            let pool = save.session.store.pool
            let connection = try await pool.acquire(for: "save")
            defer { pool.release(connection) }
            return try await connection.perform(&save)
        }
        var connections: [(session: StoreSession, connection: PostgresConnection, owned: Bool)] = []
        defer { for entry in connections where entry.owned { entry.session.store.pool.release(entry.connection) } }
        for save in saves {
            var save = save
            if let connection = save.session.connection {
                connections.append((save.session, connection, false))
                try await connection.perform(&save)
            } else {
                let connection = try await save.session.store.pool.acquire(for: "save")
                connections.append((save.session, connection, true))
                try await connection.perform(&save)
            }
        }
        for (index, entry) in connections.enumerated() where entry.owned {
            do { try await entry.connection.run(Self.commit) } catch {
                throw halfSaved(error, connections.map(\.session), index)
            }
        }
    }

    private static var commit: PostgresBatch {
        var batch = PostgresBatch()
        batch.commit()
        return batch
    }

    /// Two databases cannot commit together. Everything was checked by both before the first commit, so this is rare.
    private func halfSaved(_ error: any Error, _ sessions: [StoreSession], _ index: Int) -> any Error {
        guard index > 0 else { return error }
        let done = sessions[..<index].map { "\"\($0.store.configuration.name)\"" }.joined(separator: ", ")
        return SwiftDataError(
            .outcomeUnknown,
            "The store \"\(sessions[index].store.configuration.name)\" failed to commit after \(done) had committed. Read what was "
                + "written before saving again.", underlying: error as? PostgresError)
    }

    private func explain(_ error: any Error, _ saves: [PendingSave]) -> any Error {
        if error is SwiftDataError || error is CancellationError { return error }
        return saves.first?.explain(error) ?? error
    }

    // MARK: Apply

    private func finishSave(_ saves: [PendingSave]) {
        var inserted: [PersistentIdentifier] = []
        var updated: [PersistentIdentifier] = []
        var deleted: [PersistentIdentifier] = []
        for save in saves {
            unit.noteSaved(save.apply(in: unit))
            let identifiers = save.identifiers
            inserted += identifiers.inserted
            updated += identifiers.updated
            deleted += identifiers.deleted
        }
        unit.clearPending()
        NotificationCenter.default.post(
            name: Self.didSave, object: self,
            userInfo: [
                NotificationKey.insertedIdentifiers.rawValue: inserted,
                NotificationKey.updatedIdentifiers.rawValue: updated,
                NotificationKey.deletedIdentifiers.rawValue: deleted,
            ])
    }
}
