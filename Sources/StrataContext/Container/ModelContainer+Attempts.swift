import Foundation
public import StrataClient
import StrataModels

/// Work with a fresh context, done again from its beginning when somebody else stood in the way.
extension ModelContainer {
    /// Runs `work` with a fresh context and saves; again, with another fresh context, while the error is retryable.
    ///
    /// ```swift
    /// try await container.withContext(attempts: 3) { context in
    ///     let trip = try await conference(in: context)
    ///     trip.perdiem += 1
    /// }
    /// ```
    /// Everything that `work` does beside its context is repeated too: leave mails and the like to what follows. Work that has committed
    /// something itself, by `save()` or a transaction of its own, or may have (``SwiftDataError/outcomeUnknown``), is not repeated: it
    /// would be done twice. What getters and setters could not throw is thrown at the end, also when nothing was changed.
    /// - Parameters:
    ///   - isolation: with a level, `work` and the save are one transaction of this isolation (PostgreSQL manual,
    ///     13.2): serialization failures are then what is repeated. Without, only the save is a transaction.
    ///   - lazyLoading: the context's ``ModelContext/lazyLoading-swift.property``.
    ///   - attempts: how often it is done at most. From the second on, a short random delay goes before it, so that those who
    ///     met do not meet again.
    ///   - work: what to do; its result is returned after the save.
    /// - Throws: what `work` and the save throw, at once when ``SwiftDataError/isRetryable`` is `false` (never repeated
    ///   therefore: ``SwiftDataError/outcomeUnknown``), the last error otherwise; `CancellationError`.
    public func withContext<Result>(
        isolation: IsolationLevel? = nil, lazyLoading: ModelContext.LazyLoading = .allowed, attempts: Int = 3,
        _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        try await attempting(attempts, lazyLoading) { try await $0.saving(isolation, work) }
    }

    /// Runs `work` with a fresh context and saves; again, with another fresh context, while the error is retryable.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func withContext<Result>(
        isolation: IsolationLevel? = nil, lazyLoading: ModelContext.LazyLoading = .allowed, attempts: Int = 3,
        _ work: (ModelContext) throws -> Result
    ) async throws -> Result {
        try await withContext(isolation: isolation, lazyLoading: lazyLoading, attempts: attempts) {
            (context) async throws -> Result in try work(context)
        }
    }

    /// Runs `work` with a fresh context and saves; again, with another fresh context, while the error is retryable. Blocks this
    /// thread, also for the delay before a repetition.
    public func withContext<Result>(
        isolation: IsolationLevel? = nil, lazyLoading: ModelContext.LazyLoading = .allowed, attempts: Int = 3,
        _ work: (ModelContext) throws -> Result
    ) throws -> Result {
        try blockingAttempts(attempts, lazyLoading) { try $0.blockingSaving(isolation, work) }
    }

    /// Runs `work` with a fresh context that only reads, and returns what it made of it.
    ///
    /// ```swift
    /// let names = try await container.read(lazyLoading: .forbidden) { context in
    ///     var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    ///     descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
    ///     return try await context.fetch(descriptor).map { "\($0.name): \($0.bucketList.count)" }
    /// }
    /// ```
    /// A getter that cannot load what it is asked for, or may not, returns an empty value. `read` throws the getter's error in place
    /// of the result, so that nothing made up gets into an answer. The result is `Sendable`: objects stay with their context, which
    /// ends here; take values, identifiers or snapshots along.
    ///
    /// No round trip but those of `work`. With a level of isolation, one to three more: `BEGIN … READ ONLY` goes out with the first
    /// statement, `COMMIT` is one of its own.
    /// - Parameters:
    ///   - isolation: with a level, everything that `work` reads is one read-only transaction (PostgreSQL manual, 13.2):
    ///     with `.repeatableRead` or `.serializable` all of it is of one moment. Without, each fetch is of a moment of its own.
    ///   - lazyLoading: what reading a property does that was not fetched; `.forbidden` finds relationships that nobody prefetched.
    ///   - reading: where it reads (``ModelContext/Reading-swift.struct``): from the primary, by default, or from a replica, also with a level of
    ///     isolation, except `.serializable`, which no standby has: that is at the primary. A lock by name is refused at a replica.
    ///   - attempts: how often it is done at most while the error is retryable.
    ///   - work: what to read.
    /// - Throws: what `work` throws; else ``SwiftDataError/unfulfilledFault`` or whatever else a getter could not throw (the first;
    ///   the others are logged); `readOnly` when `work` saves, or leaves unsaved changes behind; `CancellationError`.
    public func read<Result: Sendable>(
        isolation: IsolationLevel? = nil, lazyLoading: ModelContext.LazyLoading = .allowed,
        reading: ModelContext.Reading = .primary, attempts: Int = 3,
        _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        try await attempting(attempts, lazyLoading, reading) { try await $0.saving(isolation, work) }
    }

    /// Runs `work` with a fresh context that only reads, and returns what it made of it.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking form.
    public func read<Result: Sendable>(
        isolation: IsolationLevel? = nil, lazyLoading: ModelContext.LazyLoading = .allowed,
        reading: ModelContext.Reading = .primary, attempts: Int = 3,
        _ work: (ModelContext) throws -> Result
    ) async throws -> Result {
        try await read(isolation: isolation, lazyLoading: lazyLoading, reading: reading, attempts: attempts) {
            (context) async throws -> Result in try work(context)
        }
    }

    /// Runs `work` with a fresh context that only reads, and returns what it made of it. Blocks this thread, also for the delay
    /// before a repetition.
    public func read<Result: Sendable>(
        isolation: IsolationLevel? = nil, lazyLoading: ModelContext.LazyLoading = .allowed,
        reading: ModelContext.Reading = .primary, attempts: Int = 3,
        _ work: (ModelContext) throws -> Result
    ) throws -> Result {
        try blockingAttempts(attempts, lazyLoading, reading) { try $0.blockingSaving(isolation, work) }
    }

    // MARK: Contexts

    /// - Parameter reading: where a context reads that does nothing else; `nil` for one that saves.
    private func freshContext(
        _ lazyLoading: ModelContext.LazyLoading, _ reading: ModelContext.Reading?
    ) -> ModelContext {
        let context = ModelContext(self, reading: reading ?? .primary)
        context.lazyLoading = lazyLoading
        context.unit.onlyReads = reading != nil
        return context
    }

    // MARK: Repeating

    private func attempting<Result>(
        _ attempts: Int, _ lazyLoading: ModelContext.LazyLoading, _ reading: ModelContext.Reading? = nil,
        _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            let context = freshContext(lazyLoading, reading)
            do {
                return try await work(context)
            } catch let error as SwiftDataError
                where error.isRetryable && attempt < attempts && !context.unit.mayHaveCommitted
            {
                calls?.willRepeat(after: error)
                try await Task.sleep(for: Self.delay(after: attempt))
                attempt += 1
            }
        }
    }

    private func blockingAttempts<Result>(
        _ attempts: Int, _ lazyLoading: ModelContext.LazyLoading, _ reading: ModelContext.Reading? = nil,
        _ work: (ModelContext) throws -> Result
    ) throws -> Result {
        var attempt = 1
        while true {
            let context = freshContext(lazyLoading, reading)
            do {
                return try work(context)
            } catch let error as SwiftDataError
                where error.isRetryable && attempt < attempts && !context.unit.mayHaveCommitted
            {
                calls?.willRepeat(after: error)
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

extension ModelContext {
    /// Runs `work` and saves. The save also throws what getters and setters could not, and refuses what a context that only
    /// reads has changed.
    fileprivate func saving<Result>(
        _ isolation: IsolationLevel?, _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        guard let isolation else {
            let result = try await work(self)
            try await suspendingSave()
            return result
        }
        return try await suspendingTransaction(isolation: isolation) { () async throws -> Result in try await work(self)
        }
    }

    /// The same, blocking this thread.
    fileprivate func blockingSaving<Result>(
        _ isolation: IsolationLevel?, _ work: (ModelContext) throws -> Result
    ) throws -> Result {
        guard let isolation else {
            let result = try work(self)
            try save()
            return result
        }
        return try transaction(isolation: isolation) { try work(self) }
    }
}
