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
        try performInEach(for: "verify the history") { StoreVerification($0.mapping) }.flatMap(\.historyFindings)
    }

    /// Looks whether all changes of the stores are being recorded; an empty list says that they are.
    ///
    /// ```swift
    /// for finding in try await container.verifyHistory() { logger.warning("\(finding)") }
    /// ```
    ///
    /// Two round trips a store. Throws ``PostgresError``.
    public func verifyHistory() async throws -> [HistoryFinding] {
        try await performInEach(for: "verify the history") { StoreVerification($0.mapping) }.flatMap(\.historyFindings)
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
        try performInEach(for: "repair the history") { InTransaction(HistoryRepair($0.mapping), .readCommitted) }
    }

    /// Makes the triggers of all stores as they must be, and what they need; for stores whose tables no migrations make.
    ///
    /// Needs the rights of the tables' owner. A table whose triggers change is locked against writers for a moment, and
    /// waited for. Changes that were not recorded stay so: `SELECT strata.history_reset('public', 'Trip')` tells consumers
    /// to read all trips again.
    ///
    /// Throws ``PostgresError``.
    public func repairHistory() async throws {
        try await performInEach(for: "repair the history") { InTransaction(HistoryRepair($0.mapping), .readCommitted) }
    }
}
