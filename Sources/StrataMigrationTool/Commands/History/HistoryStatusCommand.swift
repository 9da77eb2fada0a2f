import ArgumentParser
import StrataMigrations

/// `history status`
struct HistoryStatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells how much history there is, whether it is whole, who reads it, and what pruning would delete.",
        discussion: """
            Changes nothing. Counts all rows of the history: a second for some millions. Ends with 0, and with 4 when something \
            keeps changes from being recorded.
            """)
    static let fullName = "history status"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @Option(
        name: .customLong("older-than"),
        help: ArgumentHelp("What pruning by this age would delete: 12h, 30d, 8w.", valueName: "age"))
    var olderThan = HistoryAge(hours: 30 * 24)

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        let state = try work.runner().state(of: work.scripts)
        let (size, inspection) = try work.withConnection { connection in
            (
                try HistorySize.read(work.schemaName, olderThan: olderThan.hours, on: connection),
                try HistoryInspection(work.schemaName, on: connection)
            )
        }
        // While a stage is in progress, what is recorded is that of two versions.
        let version: FrozenSchema? = if case .at(let recorded) = state { work.chain.version(recorded) } else { nil }
        return HistoryStatusResult(
            database: work.summary, history: size, age: olderThan.defaultValueDescription,
            findings: version.map { inspection.lines(expecting: work.chain.history(of: $0)) }
                ?? inspection.findings.map(\.line))
    }
}

/// How much history there is.
struct HistoryStatusResult: CommandResult {
    var database: DatabaseSummary
    /// `nil` where the database has no history.
    var history: HistorySize?
    var age: String
    var findings: [String]

    var code: MigrationError.Code? { findings.isEmpty ? nil : .drift }

    func text(_ style: TextStyle) -> [String] {
        var lines = ["Database   \(database.line)"]
        if let history {
            lines += [
                "History    \(Int(history.changes).counted("change")) in \(Int(history.transactions).counted("transaction")), "
                    + "\(ByteCount.text(history.bytes)), generation \(history.generation)",
                "Oldest     \(history.oldest ?? "none")", "Newest     \(history.newest ?? "none")",
                "Pruning    what is older than \(age): \(Int(history.prunableChanges).counted("change")) in "
                    + Int(history.prunableTransactions).counted("transaction"),
            ]
            lines += (history.partitions ?? []).map { "Partition  \($0.line)" }
            if let partitions = history.partitions, !partitions.contains(where: { $0.number == 0 }) {
                lines.append("Partition  being made: history partition goes on where it was interrupted")
            }
            if let rest = history.partitions?.first(where: { $0.number == 0 }), rest.oldest != nil {
                lines.append(
                    "Partition  " + style.red("the last one has changes: history partition makes it one like others"))
            }
            lines += history.consumers.map { "Consumer   \($0.name), went on \($0.updated)" }
        } else {
            lines.append("History    none")
        }
        guard !findings.isEmpty else { return lines + [style.green("Everything is recorded.")] }
        return lines + [style.red(findings.count.counted("finding")) + ":"] + findings.map { "  \($0)" }
    }
}
