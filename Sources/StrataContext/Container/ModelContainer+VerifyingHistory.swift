public import StrataModels
import StrataRepository

extension ModelContainer {
    /// Looks whether all changes of the stores are being recorded; an empty list says that they are. Blocks.
    ///
    /// Opening a container looks too, and logs what it finds as warnings, or throws it under ``MigrationPolicy/verify``.
    /// A service asks again from time to time: a trigger that somebody has disabled leaves no other trace.
    ///
    /// Two round trips a store. Throws ``PostgresError``.
    public func verifyHistory() throws -> [HistoryFinding] {
        try stores.flatMap { store in
            try store.pool.withConnection(for: "verify the history") { connection in
                try StorePreparation.historyFindings(store.mapping, on: connection)
            }
        }
    }

    /// Looks whether all changes of the stores are being recorded; an empty list says that they are.
    ///
    /// ```swift
    /// for finding in try await container.verifyHistory() { logger.warning("\(finding)") }
    /// ```
    ///
    /// Two round trips a store. Throws ``PostgresError``.
    public func verifyHistory() async throws -> [HistoryFinding] {
        var findings: [HistoryFinding] = []
        for store in stores {
            findings += try await store.pool.withConnection(for: "verify the history") { connection in
                try await StorePreparation.historyFindings(store.mapping, on: connection)
            }
        }
        return findings
    }

    /// Makes the triggers of all stores as they must be, and what they need; for stores whose tables no migrations make.
    /// Blocks.
    ///
    /// Needs the rights of the tables' owner. A table whose triggers change is locked against writers for a moment, and
    /// waited for. Changes that were not recorded stay so: `SELECT strata.history_reset('public', 'Trip')` tells consumers
    /// to read all trips again.
    ///
    /// Throws ``PostgresError``.
    public func repairHistory() throws {
        for store in stores {
            try store.pool.withConnection(for: "repair the history") { connection in
                try StorePreparation.repairHistory(store.mapping, on: connection)
            }
        }
    }

    /// Makes the triggers of all stores as they must be, and what they need; for stores whose tables no migrations make.
    ///
    /// Needs the rights of the tables' owner. A table whose triggers change is locked against writers for a moment, and
    /// waited for. Changes that were not recorded stay so: `SELECT strata.history_reset('public', 'Trip')` tells consumers
    /// to read all trips again.
    ///
    /// Throws ``PostgresError``.
    public func repairHistory() async throws {
        for store in stores {
            try await store.pool.withConnection(for: "repair the history") { connection in
                try await StorePreparation.repairHistory(store.mapping, on: connection)
            }
        }
    }
}
