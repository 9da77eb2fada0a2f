import StrataClient
import StrataModels
import StrataRepository

/// Locks that have a name and no rows: for work that only one program may do at a time.
///
/// A lock is held by a transaction and ends with it, whatever becomes of the program (PostgreSQL manual, 13.3.5). So it works
/// behind a pooler in transaction mode, and cannot be forgotten. Locks are of the database: of that of the first configuration where
/// a container has several. Those of a tenant's container are that tenant's.
extension ModelContext {
    /// Waits until nobody else has the lock, and runs `block` and saves, in one transaction that holds it; blocks this thread.
    ///
    /// ```swift
    /// try context.withAdvisoryLock("nightly") { try context.delete(model: Trip.self, where: isOver) }
    /// ```
    ///
    /// As `transaction(block:)`; the lock goes out with BEGIN, and costs that round trip. Within another transaction the lock
    /// is held until the outermost ends, or until the innermost that fails. One that is held already is taken at once.
    /// - Throws: as `transaction(block:)`; ``SwiftDataError`` with the code `unsupportedFeature` in a transaction with the isolation
    ///   level `repeatableRead` or `serializable`: it would not see what was committed while it waited.
    public func withAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) throws -> Result {
        try transaction(isolation: nil) {
            _ = try takeAdvisoryLock(name, waits: true)
            return try block()
        }
    }

    /// Waits until nobody else has the lock, and runs `block` and saves, in one transaction that holds it. As the blocking form;
    /// no thread waits.
    public func withAdvisoryLock<Result>(_ name: String, _ block: () async throws -> Result) async throws -> Result {
        try await suspendingTransaction {
            _ = try await takeAdvisoryLock(name, waits: true)
            return try await block()
        }
    }

    /// Waits until nobody else has the lock, and runs `block` and saves, in one transaction that holds it.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func withAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) async throws -> Result {
        try await withAdvisoryLock(name) { () async throws -> Result in try block() }
    }

    /// The same if nobody else has the lock just now; else `nil`, and nothing was run or saved. Blocks this thread.
    public func tryWithAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) throws -> Result? {
        do {
            return try transactionWithoutSavingFirst {
                guard try takeAdvisoryLock(name, waits: false) else { throw Taken() }
                return try block()
            }
        } catch is Taken { return nil }
    }

    /// The same if nobody else has the lock just now; else `nil`, and nothing was run or saved.
    public func tryWithAdvisoryLock<Result>(_ name: String, _ block: () async throws -> Result) async throws -> Result?
    {
        do {
            return try await suspendingTransactionWithoutSavingFirst {
                guard try await takeAdvisoryLock(name, waits: false) else { throw Taken() }
                return try await block()
            }
        } catch is Taken { return nil }
    }

    /// The same if nobody else has the lock just now; else `nil`, and nothing was run or saved.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func tryWithAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) async throws -> Result? {
        try await tryWithAdvisoryLock(name) { () async throws -> Result in try block() }
    }

    /// Somebody else has the lock: thrown out of the transaction, so that nothing is saved.
    private struct Taken: Error {}

    private func takeAdvisoryLock(_ name: String, waits: Bool) throws -> Bool {
        try perform(locking(name, waits: waits)).operation.isTaken
    }

    private func takeAdvisoryLock(_ name: String, waits: Bool) async throws -> Bool {
        try await perform(locking(name, waits: waits)).operation.isTaken
    }

    private func locking(_ name: String, waits: Bool) throws -> StoreCall<AdvisoryLock> {
        let session = unit.sessions[0]
        guard !session.isTransactionOfReplica else {
            throw SwiftDataError(
                .unsupportedFeature,
                "The lock \"\(name)\" was not taken: the transaction is a replica's, and a lock there excludes nobody elsewhere. Read from the "
                    + "primary (reading: .primary), or take the lock in another context.")
        }
        return StoreCall(
            try AdvisoryLock(name, of: container.tenantName, waits: waits), in: session, for: "lock \"\(name)\""
        ).once
    }
}
