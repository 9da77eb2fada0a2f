import StrataClient
import StrataModels
import StrataRepository

/// Locks that have a name, for work that is longer than a transaction.
///
/// A lock is held by a connection of its own, beside the pool's. It is the same lock as that of ``ModelContext``'s `withAdvisoryLock`:
/// who has it in a transaction and who has it here exclude each other.
extension ModelContainer {
    /// Waits until nobody else has the lock, and runs `block` while a connection of its own holds it.
    ///
    /// ```swift
    /// try await container.withAdvisoryLock("nightly") {
    ///     for city in cities { try await container.withContext { context in try await report(city, in: context) } }
    /// }
    /// ```
    ///
    /// What `block` does is no transaction: each of its saves is one. The lock ends with `block`, also when that throws. Cancelling the
    /// task ends the waiting; a `block` that runs hears of it as all code does, and has the lock until it returns. When the program dies,
    /// the server gives the lock to the next as soon as it learns of it. Three round trips, and those of connecting.
    ///
    /// The lock needs the server itself: a pooler hands a connection to others between two statements. Where `ModelConfiguration` has a
    /// `directURL`, that is used.
    /// - Throws: what `block` throws; ``SwiftDataError`` with the code `unsupportedFeature` behind a pooler; `storeFailure` when no
    ///   connection could be opened, or when it was lost while `block` ran: all was done then, and somebody else may have had the
    ///   lock meanwhile; `CancellationError`.
    public func withAdvisoryLock<Result>(_ name: String, _ block: () async throws -> Result) async throws -> Result {
        let lock = try await SessionLock(name, in: self, waits: true)
        return try await lock.run(block)
    }

    /// Waits until nobody else has the lock, and runs `block` while a connection of its own holds it.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func withAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) async throws -> Result {
        try await withAdvisoryLock(name) { () async throws -> Result in try block() }
    }

    /// Waits until nobody else has the lock, and runs `block` while a connection of its own holds it; blocks this thread.
    public func withAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) throws -> Result {
        try SessionLock(name, in: self, waits: true).run(block)
    }

    /// The same if nobody else has the lock just now; else `nil`, and nothing was run.
    public func tryWithAdvisoryLock<Result>(_ name: String, _ block: () async throws -> Result) async throws -> Result?
    {
        let lock = try await SessionLock(name, in: self, waits: false)
        return lock.isTaken ? try await lock.run(block) : nil
    }

    /// The same if nobody else has the lock just now; else `nil`, and nothing was run.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func tryWithAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) async throws -> Result? {
        try await tryWithAdvisoryLock(name) { () async throws -> Result in try block() }
    }

    /// The same if nobody else has the lock just now; else `nil`, and nothing was run. Blocks this thread.
    public func tryWithAdvisoryLock<Result>(_ name: String, _ block: () throws -> Result) throws -> Result? {
        let lock = try SessionLock(name, in: self, waits: false)
        return lock.isTaken ? try lock.run(block) : nil
    }
}
