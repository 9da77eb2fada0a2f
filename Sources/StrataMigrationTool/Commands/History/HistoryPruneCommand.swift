import ArgumentParser
import Foundation
import StrataClient
import StrataMigrations
import StrataRepository

/// `history prune`
struct HistoryPruneCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Deletes the oldest history, by age, by number or by size, in slices that stall nobody.",
        discussion: """
            Tokens from before what is deleted are expired then. The space is used again by new history; the files do not \
            become smaller. Of a partitioned history whole partitions are dropped, and further ones are made. Takes a role with the \
            right to prune.
            """)
    static let fullName = "history prune"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @Option(
        name: .customLong("older-than"),
        help: ArgumentHelp("Deletes what is older: 12h, 30d, 8w.", valueName: "age"))
    var olderThan: HistoryAge?

    @Option(help: ArgumentHelp("Keeps so many of the newest changes, and deletes the rest.", valueName: "changes"))
    var keep: Int64?

    @Option(
        name: .customLong("max-size"),
        help: ArgumentHelp(
            "Keeps as much as takes this room, by the average of what there is: 500MB, 2GB.", valueName: "size"))
    var maximumSize: ByteCount?

    @Option(help: ArgumentHelp("Transactions that are deleted at once.", valueName: "count"))
    var slice: Int32 = 5000

    @Option(help: ArgumentHelp("Pause between two slices.", valueName: "time"))
    var pause = TimeSpan(milliseconds: 50)

    func validate() throws {
        guard olderThan != nil || keep != nil || maximumSize != nil else {
            throw ValidationError("Say what is deleted: --older-than, --keep or --max-size.")
        }
        guard keep == nil || maximumSize == nil else { throw ValidationError("--keep and --max-size are two answers.") }
        guard keep ?? 0 >= 0, slice > 0 else { throw ValidationError("--keep and --slice must not be negative.") }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let (address, serverVersion) = try session.database(common, connection)
        var result = HistoryPruneResult(
            database: DatabaseSummary(address, serverVersion: serverVersion, schemaName: common.schema))
        try address.withConnection { connection in
            guard let bytes = try HistorySize.bytes(of: common.schema, on: connection) else {
                throw MigrationError(
                    .difference, "The database has no history of the PostgreSQL schema \"\(common.schema)\".",
                    remedy: "apply the migrations first, or name another schema")
            }
            let slices = HistoryPruningSlice(in: common.schema)
            let kept = try maximumSize.map { try changes(fitting: $0.bytes, of: bytes, connection) } ?? keep
            let cutoff = try cutoff(slices, connection, keep: kept)
            let age = olderThan.map { HistoryPruningSlice.Age.hours(Int32(clamping: $0.hours)) }
            var marking = HistoryMarking(in: common.schema, age, cutoff)
            try connection.perform(&marking)
            result.waitsForPartitions = marking.isWaiting
            result.needsPartitioning = marking.isUndivided
            if marking.isPartitioned {
                var dropping = HistoryDropping()
                try connection.perform(&dropping)
                result.partitions = dropping.dropped
                result.remainingPartitions = dropping.remaining ?? 0
                result.wasLeftToAnother = dropping.remaining == nil
                // What could not be dropped just now is not deleted instead.
                guard dropping.remaining == 0 else { return }
            }
            var end: String?
            switch marking.rows {
            case .none: return
            case .below(let transaction): end = transaction
            case .any: break
            }
            var place: HistoryPruningSlice.Place?
            while true {
                let begin = ContinuousClock.now
                var outcome = HistoryPruningSlice.Outcome()
                let statement = try slices.statement(age, cutoff, after: place, below: end, count: slice)
                var batch = PostgresBatch()
                batch.begin()
                // What the slice has deleted, without counting it. The server's own count goes on from the transactions before.
                var counts: [Int64] = []
                let count: (PostgresRow) throws -> Void = { row in
                    if let count: Int64 = try row.decodeIfPresent(0) { counts.append(count) }
                }
                batch.add(PostgresStatement(Self.deletedChanges), onRow: count)
                batch.add(statement, onRow: { try outcome.take($0) })
                batch.add(PostgresStatement(Self.deletedChanges), onRow: count)
                batch.commit()
                try connection.run(batch)
                place = outcome.end
                guard let deleted = outcome.deleted else {
                    result.wasLeftToAnother = true
                    break
                }
                guard deleted > 0 else { break }
                let took = begin.duration(to: .now).milliseconds
                result.transactions += deleted
                result.changes = counts.count == 2 ? result.changes.map { $0 + counts[1] - counts[0] } : nil
                result.slices += 1
                result.longestSlice = max(result.longestSlice, took)
                Thread.sleep(forTimeInterval: Double(pause.milliseconds) / 1000)
            }
        }
        return result
    }

    private static let deletedChanges = PreparedSQL(
        """
        SELECT CASE WHEN pg_catalog.current_setting('track_counts')::boolean \
        THEN (SELECT pg_catalog.sum(pg_catalog.pg_stat_get_xact_tuples_deleted(c.part))::bigint FROM (\
        SELECT 'strata.history_change'::pg_catalog.regclass AS part UNION ALL SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i \
        WHERE i.inhparent = 'strata.history_change'::pg_catalog.regclass) AS c) END
        """)

    /// As many changes as take so much room, by what they take on average; `nil` where all fit, which needs no counting.
    private func changes(fitting room: Int64, of bytes: Int64, _ connection: PostgresConnection) throws -> Int64? {
        guard bytes > room else { return nil }
        let count = try HistorySize.changes(of: common.schema, on: connection)
        return Int64(Double(count) * (Double(room) / Double(bytes)))
    }

    /// Where the newest so many changes begin; `nil` when there are no more, or any number is kept.
    private func cutoff(
        _ slices: HistoryPruningSlice, _ connection: PostgresConnection, keep: Int64?
    ) throws -> HistoryPruningSlice.Place? {
        guard let keep else { return nil }
        var cutoff: HistoryPruningSlice.Place?
        try connection.run(try slices.counting(keep) { cutoff = $0 })
        return cutoff
    }
}

/// What was deleted.
struct HistoryPruneResult: CommandResult {
    var database: DatabaseSummary
    /// Dropped whole, without counting what was in them.
    var partitions = 0
    /// Old, but read by transactions that go on.
    var remainingPartitions = 0
    /// Whether something that is old stays until all of its partition is.
    var waitsForPartitions = false
    /// Whether changes stand in the partition that takes everything.
    var needsPartitioning = false
    var transactions: Int64 = 0
    /// `nil` where the server does not count what it does (`track_counts = off`).
    var changes: Int64? = 0
    var slices = 0
    /// Milliseconds.
    var longestSlice = 0
    /// Whether another process was deleting the history, and the rest was left to it.
    var wasLeftToAnother = false

    private enum CodingKeys: String, CodingKey {
        case database, partitions, remainingPartitions, waitsForPartitions, needsPartitioning, transactions, changes,
            slices, longestSlice, wasLeftToAnother
    }

    /// With a `null` for a number that is not known.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(database, forKey: .database)
        try container.encode(partitions, forKey: .partitions)
        try container.encode(remainingPartitions, forKey: .remainingPartitions)
        try container.encode(waitsForPartitions, forKey: .waitsForPartitions)
        try container.encode(needsPartitioning, forKey: .needsPartitioning)
        try container.encode(transactions, forKey: .transactions)
        try container.encode(changes, forKey: .changes)
        try container.encode(slices, forKey: .slices)
        try container.encode(longestSlice, forKey: .longestSlice)
        try container.encode(wasLeftToAnother, forKey: .wasLeftToAnother)
    }

    func text(_ style: TextStyle) -> [String] {
        var left = wasLeftToAnother ? ["Another process deletes it just now: the rest was left to it."] : []
        if remainingPartitions > 0 {
            left.append(
                "\(remainingPartitions.counted("partition")) could not be dropped: transactions go on that could read the history. "
                    + "The next call comes to it.")
        }
        if waitsForPartitions { left.append("Something that is old stays until all of its partition is.") }
        if needsPartitioning {
            left.append(
                "There is no partition for what comes: history partition makes the one that takes it one like others.")
        }
        let dropped = partitions > 0 ? [style.green("Done") + ": \(partitions.counted("partition")) dropped."] : []
        guard slices > 0 else {
            return dropped.isEmpty && left.isEmpty ? [style.green("Nothing to delete.")] : dropped + left
        }
        let counted = changes.map { "\(Int($0).counted("change")) in " } ?? ""
        let text = "\(counted)\(Int(transactions).counted("transaction")) deleted, "
        return dropped + [
            style.green("Done") + ": \(text)\(slices.counted("slice")), the longest took "
                + TimeSpan.text(milliseconds: longestSlice) + "."
        ] + left
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
