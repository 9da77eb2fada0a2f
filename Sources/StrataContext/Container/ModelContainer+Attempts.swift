import Foundation
public import StrataClient
import StrataModels

/// Work that is done again from its beginning when somebody else stood in the way.
extension ModelContainer {
    /// Runs `work` with a fresh context and saves; again, with another fresh context, while the error is retryable.
    ///
    /// ```swift
    /// try await container.withContext(attempts: 3) { context in
    ///     let trip = try await conference(in: context)
    ///     trip.perdiem += 1
    /// }
    /// ```
    /// Everything that `work` does beside its context is repeated too: leave mails and the like to what follows.
    /// - Parameters:
    ///   - isolation: with a level, `work` and the save are one transaction of this isolation (PostgreSQL manual,
    ///     13.2): serialization failures are then what is repeated. Without, only the save is a transaction.
    ///   - attempts: how often it is done at most. From the second on, a short random delay goes before it, so that those who
    ///     met do not meet again.
    ///   - work: what to do; its result is returned after the save.
    /// - Throws: what `work` and the save throw, at once when ``SwiftDataError/isRetryable`` is `false` (never repeated
    ///   therefore: ``SwiftDataError/outcomeUnknown``), the last error otherwise; `CancellationError`.
    public func withContext<Result>(
        isolation: IsolationLevel? = nil, attempts: Int = 3, _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            let context = ModelContext(self)
            do {
                if let isolation {
                    return try await context.suspendingTransaction(isolation: isolation) { () async throws -> Result in
                        try await work(context)
                    }
                }
                let result = try await work(context)
                try await context.suspendingSave()
                return result
            } catch let error as SwiftDataError where error.isRetryable && attempt < attempts {
                try await Task.sleep(for: Self.delay(after: attempt))
                attempt += 1
            }
        }
    }

    /// Runs `work` with a fresh context and saves; again, with another fresh context, while the error is retryable.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func withContext<Result>(
        isolation: IsolationLevel? = nil, attempts: Int = 3, _ work: (ModelContext) throws -> Result
    ) async throws -> Result {
        try await withContext(isolation: isolation, attempts: attempts) { (context) async throws -> Result in
            try work(context)
        }
    }

    /// Runs `work` with a fresh context and saves; again, with another fresh context, while the error is retryable. Blocks this
    /// thread, also for the delay before a repetition.
    public func withContext<Result>(
        isolation: IsolationLevel? = nil, attempts: Int = 3, _ work: (ModelContext) throws -> Result
    ) throws -> Result {
        var attempt = 1
        while true {
            let context = ModelContext(self)
            do {
                if let isolation { return try context.transaction(isolation: isolation) { try work(context) } }
                let result = try work(context)
                try context.save()
                return result
            } catch let error as SwiftDataError where error.isRetryable && attempt < attempts {
                Thread.sleep(forTimeInterval: Self.delay(after: attempt) / .seconds(1))
                attempt += 1
            }
        }
    }

    /// At random below 10 ms, then 20 ms, 40 ms, … up to 640 ms.
    private static func delay(after attempt: Int) -> Duration {
        .microseconds(Int.random(in: 0..<(10_000 << min(attempt - 1, 6))))
    }
}
