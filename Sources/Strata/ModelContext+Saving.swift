public import StrataContext

extension ModelContext {
    /// Writes all unsaved changes, all or nothing. One round trip, two where unique values are concerned; none when
    /// nothing changed.
    ///
    /// It writes what there is when it is called: what is edited while it waits for the server is written by the next save.
    /// After an error the context holds the changes as before. Posts ``willSave`` and ``didSave``.
    /// - Throws: ``SwiftDataError``: `conflict`, `uniqueConstraint`, `deleteDenied`, `invalidValue`, `readOnly`,
    ///   `outcomeUnknown`, `storeFailure`; `unsupportedFeature` while another task saves this context or is in a transaction of
    ///   it; or the first error that a getter or setter could not throw (the others are logged).
    public func save() async throws {
        try await suspendingSave()
    }

    /// Runs `block` and saves, in one transaction: fetches in it see what it wrote.
    ///
    /// When `block` or the save throws, or the task is cancelled, everything is rolled back, in the store and in
    /// memory; what was unsaved before is unsaved still, with the values of then. Within another transaction, which saves
    /// first what is unsaved, it is a savepoint: only what happened inside is rolled back.
    ///
    /// ```swift
    /// try await context.transaction {
    ///     trip.destination = "Lyon"
    ///     try await context.save()
    /// }
    /// ```
    /// - Parameters:
    ///   - isolation: PostgreSQL manual, 13.2; the server's default when `nil`. `nil` within another transaction.
    ///   - block: the work; what it returns is returned after the commit.
    /// - Throws: what `block` and `save()` throw; ``SwiftDataError`` with the code `outcomeUnknown` when the connection
    ///   was lost while committing, `storeFailure` for everything else that the server or the connection reports;
    ///   `unsupportedFeature` while another task saves this context or is in a transaction of it.
    public func transaction<Result>(
        isolation: IsolationLevel? = nil, _ block: () async throws -> Result
    ) async throws -> Result {
        try await suspendingTransaction(isolation: isolation, block)
    }

    /// Runs `block` and saves, in one transaction: fetches in it see what it wrote.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking
    /// form.
    public func transaction<Result>(
        isolation: IsolationLevel? = nil, _ block: () throws -> Result
    ) async throws -> Result {
        try await suspendingTransaction(isolation: isolation) { () async throws -> Result in try block() }
    }
}
