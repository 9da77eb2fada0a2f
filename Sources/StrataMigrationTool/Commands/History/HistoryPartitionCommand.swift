import ArgumentParser
import StrataClient
import StrataMigrations
import StrataRepository

/// `history partition`
struct HistoryPartitionCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "partition",
        abstract: "Divides the history of a database into partitions by time, so that what is old is dropped whole.",
        discussion: """
            Beside programs that write: what there is becomes the first partition, is read once where it is large, and is not copied; \
            twice everybody waits for some hundredths of a second. Where it is interrupted, call it again. On a partitioned history it makes \
            the partitions that come next. history prune drops the oldest. Takes the owner of the history.
            """)
    static let fullName = "history partition"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("How long a partition is meant to last: 12h, 7d, 4w.", valueName: "time"))
    var every: HistoryAge

    func validate() throws {
        guard every.hours > 0 else { throw ValidationError("--every must be greater than 0.") }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let (address, _) = try session.database(common, connection)
        var partitioning = HistoryPartitioning(every: .seconds(every.hours * 3600))
        try address.withConnection { connection in
            guard try HistorySize.bytes(of: common.schema, on: connection) != nil else {
                throw MigrationError(
                    .difference, "The database has no history of the PostgreSQL schema \"\(common.schema)\".",
                    remedy: "apply the migrations first, or name another schema")
            }
            try connection.perform(&partitioning)
        }
        return LinesResult(partitioning.steps, nothing: "The history is partitioned.")
    }
}
