import ArgumentParser
import Foundation
import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

/// `partitions maintain`
struct PartitionsMaintainCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract:
            "Makes the next partitions, and drops those of which everything is too old, while others read and write.",
        discussion: """
            Run it again and again: what cannot be done now, because somebody holds a lock, is done by the next run, and what an \
            interrupted run has left too. Of several at the same time one works. Takes the owner of the tables. The history of a class \
            that loses a partition has a reset.
            """)
    static let fullName = "partitions maintain"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var chosen: PartitionOptions
    @OptionGroup var tenants: TenantOptions

    @Option(help: ArgumentHelp("How many periods behind the present one have partitions.", valueName: "count"))
    var ahead = 3

    @Option(
        help: ArgumentHelp(
            "Drops partitions of which everything is older: 90d, 52w. Nothing is dropped without.", valueName: "age"))
    var keep: HistoryAge?

    func validate() throws {
        guard (0...PartitionCare.mostPartitions).contains(ahead) else {
            throw ValidationError("--ahead is a number from 0 to \(PartitionCare.mostPartitions).")
        }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        return try tenants.perform(on: work, in: session, common, doing: "looked after") { work in
            try perform(work, in: session)
        }
    }

    private func perform(_ work: DatabaseWork, in session: ToolSession) throws -> any CommandResult {
        let tables = try chosen.tables(of: work, in: session)
        let goal = PartitionCare.Goal.keeping(ahead: ahead, age: keep.map { Int64($0.hours) * 3_600_000_000 })
        // Nothing is done where no class declares #Partition.
        var outcome: PartitionCare.Outcome?
        if !tables.isEmpty {
            try work.withConnection { connection in
                var care = try PartitionCare(of: tables, in: work.schemaName, goal, process: connection.backendID)
                do { try connection.perform(&care) } catch let error as SwiftDataError {
                    if let underlying = error.underlying { throw underlying }
                    throw MigrationError(.difference, error.message, remedy: "then run it again")
                }
                outcome = care.outcome
            }
        }
        return PartitionsMaintainResult(database: work.summary, outcome)
    }
}

/// What was made and dropped.
struct PartitionsMaintainResult: CommandResult {
    var database: DatabaseSummary
    var made: [String]
    var dropped: [String]
    /// What was tried in vain, because somebody held a lock.
    var postponed: [String]
    /// Whether another process is at it, to which all was left.
    var wasLeftToAnother: Bool

    init(database: DatabaseSummary, _ outcome: PartitionCare.Outcome?) {
        self.database = database
        (made, dropped, postponed) = (outcome?.made ?? [], outcome?.dropped ?? [], outcome?.postponed ?? [])
        wasLeftToAnother = outcome?.wasLeftToAnother ?? false
    }

    /// A lock that could not be had: run it again.
    var code: MigrationError.Code? { postponed.isEmpty ? nil : .lockNotAvailable }

    func text(_ style: TextStyle) -> [String] {
        if wasLeftToAnother { return ["Another process looks after the partitions just now: all was left to it."] }
        let lines =
            made.map { "Made       \($0)" } + dropped.map { "Dropped    \($0)" }
            + postponed.map { style.red("Postponed") + "  \($0)" }
        return lines.isEmpty ? [style.green("Nothing to do.")] : lines
    }
}
