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
            become smaller. Takes a role with the right to prune.
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
            guard let size = try HistorySize.read(common.schema, olderThan: 0, on: connection) else {
                throw MigrationError(.difference, "The database has no history.", remedy: "apply the migrations first")
            }
            let cutoff = try cutoff(connection, keep: maximumSize.map { size.changes(fitting: $0.bytes) } ?? keep)
            while true {
                let begin = ContinuousClock.now
                let deleted = try prune(connection, cutoff)
                guard deleted > 0 else { break }
                let took = begin.duration(to: .now).milliseconds
                result.transactions += deleted
                result.slices += 1
                result.longestSlice = max(result.longestSlice, took)
                Thread.sleep(forTimeInterval: Double(pause.milliseconds) / 1000)
            }
            result.changes =
                size.changes - (try HistorySize.read(common.schema, olderThan: 0, on: connection)?.changes ?? 0)
        }
        return result
    }

    /// A transaction, by generation and number: what is older is deleted.
    private typealias Cutoff = (generation: Int16, transaction: String)

    /// Where the newest so many changes begin; `nil` when there are no more, or any number is kept.
    private func cutoff(_ connection: PostgresConnection, keep: Int64?) throws -> Cutoff? {
        guard let keep else { return nil }
        var cutoff: Cutoff?
        let query: SQLFragment =
            "SELECT generation, xid::text FROM strata.history_cutoff(\(bind: common.schema), \(bind: keep))"
        try connection.run(
            PostgresBatch(try query.statement()) { row in
                guard let generation = try row.decodeIfPresent(0, as: Int16.self) else { return }
                cutoff = (generation, try row.decode(1, as: String.self))
            })
        return cutoff
    }

    /// One slice; returns how many transactions were deleted.
    private func prune(_ connection: PostgresConnection, _ cutoff: Cutoff?) throws -> Int64 {
        var deleted: Int64 = 0
        var call: SQLFragment = "SELECT strata.history_prune_below(\(bind: common.schema), "
        if let olderThan {
            call.append("pg_catalog.now() - pg_catalog.make_interval(hours => \(bind: Int32(olderThan.hours))), ")
        } else {
            call.append("NULL, ")
        }
        if let cutoff {
            call.append("\(bind: cutoff.generation), \(bind: cutoff.transaction)::xid8")
        } else {
            call.append("NULL, NULL")
        }
        call.append(", \(bind: slice))")
        try connection.run(PostgresBatch(try call.statement()) { row in deleted = try row.decodeIfPresent(0) ?? 0 })
        return deleted
    }
}

extension HistorySize {
    /// As many changes as take so much room, by what they take on average.
    func changes(fitting room: Int64) -> Int64 {
        guard bytes > room, changes > 0 else { return changes }
        return Int64(Double(room) / (Double(bytes) / Double(changes)))
    }
}

/// What was deleted.
struct HistoryPruneResult: CommandResult {
    var database: DatabaseSummary
    var transactions: Int64 = 0
    var changes: Int64 = 0
    var slices = 0
    /// Milliseconds.
    var longestSlice = 0

    func text(_ style: TextStyle) -> [String] {
        guard slices > 0 else { return [style.green("Nothing to delete.")] }
        let text = "\(Int(changes).counted("change")) in \(Int(transactions).counted("transaction")) deleted, "
        return [
            style.green("Done") + ": \(text)\(slices.counted("slice")), the longest took "
                + TimeSpan.text(milliseconds: longestSlice) + "."
        ]
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
