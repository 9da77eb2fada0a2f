public import Foundation
import Logging
import StrataClient
import StrataModels
import StrataRepository

extension ModelContainer {
    /// Deletes history that is older than a date, or beyond the newest so many changes, in slices that keep nobody waiting.
    ///
    /// Each slice is a transaction of its own, of at most 5000 transactions; between two there is a pause as long as the
    /// slice took. Tokens from before what is deleted expire. Of several processes that call this, one prunes a store at a
    /// time.
    ///
    /// Of a partitioned history (`partitionHistory(every:)`) whole partitions are dropped, once all in them is old for each store that has
    /// something there; rows are deleted of what is shared with a store that keeps it, and of the partition that is written to. What is old in a
    /// partition that has younger ones stays until they are old, too, also where a count is kept (``HistoryPruning/waitsForPartitions``). The
    /// partitions that come next are made. That takes three round trips a store more and two a database; one a store where nothing is
    /// partitioned.
    ///
    /// ```swift
    /// let monthAgo = Date.now.addingTimeInterval(-30 * 86_400)
    /// let pruned = try await container.pruneHistory(olderThan: monthAgo, keepingAtMost: 10_000_000)
    /// ```
    /// The login needs `strata.history_grant('role', 'prune')`, or owns the tables.
    /// - Parameters:
    ///   - date: what happened before goes; `nil` for no limit of age.
    ///   - count: changes beyond the newest so many go; `nil` for no limit of size, 0 for all of them.
    /// - Returns: what was deleted and how long the longest slice took.
    /// - Throws: ``SwiftDataError``: `storeFailure` with what to grant, `invalidTransactionFetchRequest` for a negative
    ///   count; `CancellationError` between slices.
    @discardableResult
    public func pruneHistory(olderThan date: Date?, keepingAtMost count: Int? = nil) async throws -> HistoryPruning {
        if let count, count < 0 {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                "History cannot be pruned to \(count) changes: the number to keep must not be negative. 0 keeps none, nil keeps "
                    + "any number.")
        }
        try requireVisibleHistory()
        var pruning = HistoryPruning()
        guard date != nil || count != nil else { return pruning }
        var marked: [(store: Store, cutoff: HistoryPruningSlice.Place?, marking: HistoryMarking)] = []
        for store in stores {
            let cutoff = try await Self.cutoff(store, count)
            let marking = HistoryMarking(in: store.mapping.schemaName, date.map { .before($0) }, cutoff)
            marked.append((store, cutoff, try await Self.perform(marking, store)))
            if marking.isWaiting { pruning.waitsForPartitions = true }
            if marking.isUndivided { pruning.needsPartitioning = true }
        }
        // Stores of a database share its partitions: what all of them have marked goes before rows of one are looked at.
        var droppings: [ObjectIdentifier: HistoryDropping] = [:]
        for (store, cutoff, marking) in marked {
            if marking.isPartitioned {
                let database = ObjectIdentifier(store.pool)
                if droppings[database] == nil {
                    let dropping = try await Self.perform(HistoryDropping(), store)
                    droppings[database] = dropping
                    pruning.partitions += dropping.dropped
                    pruning.remainingPartitions += dropping.remaining ?? 0
                    if dropping.remaining == nil { pruning.wasLeftToAnother = true }
                }
                // What could not be dropped just now is not deleted instead.
                guard droppings[database]?.remaining == 0 else { continue }
            }
            try await prune(store, date, cutoff, marking.rows, &pruning)
        }
        return pruning
    }

    /// Prunes the history again and again until the task is cancelled or the container is closed: a task for a service.
    ///
    /// ```swift
    /// group.addTask { try await container.keepHistory(for: .seconds(30 * 86_400), atMost: 10_000_000) }
    /// ```
    /// Every process of a service may run it: one at a time works. What fails and may pass, such as a lost connection, is
    /// tried again at the next round.
    /// - Parameters:
    ///   - age: how long history is kept; `nil` for no limit of age.
    ///   - count: how many changes are kept; `nil` for no limit of size.
    ///   - interval: the time from one round to the next.
    /// - Throws: ``SwiftDataError`` for what does not pass, such as a missing privilege or a negative count. Not `CancellationError`: it
    ///   returns when the task is cancelled.
    public func keepHistory(
        for age: Duration?, atMost count: Int? = nil, every interval: Duration = .seconds(600)
    ) async throws {
        try await inRounds(every: interval, unlessItPasses: "History could not be pruned now.") {
            let date = age.map { Date(timeIntervalSinceNow: -$0.inSeconds) }
            let pruned = try await pruneHistory(olderThan: date, keepingAtMost: count)
            if pruned.transactions > 0 || pruned.partitions > 0 {
                logger.info(
                    "History was pruned.",
                    metadata: [
                        "partitions": "\(pruned.partitions)", "remainingPartitions": "\(pruned.remainingPartitions)",
                        "transactions": "\(pruned.transactions)", "slices": "\(pruned.slices)",
                        "longestSlice": "\(pruned.longestSlice)",
                    ])
            }
            if pruned.needsPartitioning {
                logger.warning("History has no partition for what comes: as its owner call partitionHistory(every:).")
            }
        }
    }

    private func prune(
        _ store: Store, _ date: Date?, _ cutoff: HistoryPruningSlice.Place?, _ rows: HistoryMarking.Rows,
        _ pruning: inout HistoryPruning
    ) async throws {
        if date == nil, cutoff == nil { return }
        let end: String?
        switch rows {
        case .none: return
        case .below(let transaction): end = transaction
        case .any: end = nil
        }
        let slice = HistoryPruningSlice(in: store.mapping.schemaName)
        var place: HistoryPruningSlice.Place?
        while true {
            try Task.checkCancellation()
            try store.requireLife()
            let start = ContinuousClock.now
            var outcome = HistoryPruningSlice.Outcome()
            do {
                let statement = try slice.statement(
                    date.map { .before($0) }, cutoff, after: place, below: end, count: 5000)
                try await store.pool.withConnection(for: "prune the history") { connection in
                    try await connection.run(PostgresBatch(statement) { try outcome.take($0) })
                }
            } catch let error as PostgresError {
                throw Self.explainPruning(error)
            }
            let took = start.duration(to: .now)
            place = outcome.end
            guard let deleted = outcome.deleted else {
                pruning.wasLeftToAnother = true
                return
            }
            guard deleted > 0 else { return }
            pruning.transactions += Int(deleted)
            pruning.slices += 1
            pruning.longestSlice = max(pruning.longestSlice, took)
            try await Task.sleep(for: took)
        }
    }

    private static func perform<Operation: StoreOperation>(_ operation: Operation, _ store: Store) async throws
        -> Operation
    {
        try store.requireLife()
        do { return try await store.pool.perform(operation, for: "prune the history") } catch let error as PostgresError
        {
            throw explainPruning(error)
        }
    }

    /// Where the newest so many changes begin; `nil` when there are no more, or any number is kept. Counts them once for all
    /// slices.
    private static func cutoff(_ store: Store, _ count: Int?) async throws -> HistoryPruningSlice.Place? {
        guard let count else { return nil }
        var cutoff: HistoryPruningSlice.Place?
        let batch = try HistoryPruningSlice(in: store.mapping.schemaName).counting(Int64(count)) { cutoff = $0 }
        do {
            try await store.pool.withConnection(for: "count the history") { try await $0.run(batch) }
        } catch let error as PostgresError {
            throw explainPruning(error)
        }
        return cutoff
    }

    private static func explainPruning(_ error: PostgresError) -> SwiftDataError {
        let remedy =
            error.lacksRight
            ? " The role needs: SELECT strata.history_grant('role', 'prune'), run by the owner of the tables." : ""
        return SwiftDataError(.storeFailure, "Pruning the history: \(error.message)\(remedy)", underlying: error)
    }
}
