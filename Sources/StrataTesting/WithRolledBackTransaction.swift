public import StrataContext

/// Runs `body` in a transaction that is rolled back at its end, also when the test throws.
///
/// ```swift
/// try await withRolledBackTransaction(in: container) { context in
///     context.insert(Trip(name: "Visit", destination: "Paris"))
///     try await context.save()
///     #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 1)
/// }
/// ```
/// Within it `save()` writes, fetches see what was written, and `transaction` is a savepoint. Nothing is committed: nobody else sees the
/// changes, no other context either, and nothing of history, of live results and of constraints that are checked at the end. What a test
/// is to find out about these needs a store of its own, by `withTestStore`. Two transactions that write the
/// same unique value wait for each other, as always.
/// - Parameters:
///   - container: open, and shared by any number of tests.
///   - body: the test. Its objects are of no use afterwards.
/// - Throws: what `body` throws; what beginning a transaction throws.
public func withRolledBackTransaction<Result>(
    in container: ModelContainer, _ body: (ModelContext) async throws -> Result
) async throws -> Result {
    let context = ModelContext(container)
    var result: Result?
    do {
        try await context.suspendingTransaction {
            result = try await body(context)
            throw RolledBack()
        }
    } catch is RolledBack {}
    guard let result else { throw RolledBack() }
    return result
}

/// Runs `body` in a transaction that is rolled back at its end, also when the test throws; blocks this thread.
///
/// As the asynchronous form.
public func withRolledBackTransaction<Result>(
    in container: ModelContainer, _ body: (ModelContext) throws -> Result
) throws -> Result {
    let context = ModelContext(container)
    var result: Result?
    do {
        try context.transaction(isolation: nil) {
            result = try body(context)
            throw RolledBack()
        }
    } catch is RolledBack {}
    guard let result else { throw RolledBack() }
    return result
}

/// What ends a transaction that was only for a test.
private struct RolledBack: Error {}
