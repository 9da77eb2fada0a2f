import ArgumentParser
import StrataMigrations

/// `history sync`
struct HistorySyncCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Makes the history's triggers be what the version of the database needs, and tells what was wrong.",
        discussion: """
            Locks only tables whose triggers are missing, disabled or superfluous. Also what begins or ends the history of a \
            database after recordsHistory of the plan was changed.
            """)
    static let fullName = "history sync"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var lock: RunnerLockFlags

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        let runner = try work.runner(lock.options)
        guard let recorded = try runner.state(of: work.scripts).version else {
            throw MigrationError(
                .difference, "The database has no record of a version whose history could be recorded.",
                remedy: "apply or baseline")
        }
        let version = try session.project.version(recorded.version.description)
        let found = try runner.syncHistory(work.chain.history(of: version))
        return LinesResult(found.map { "mended: \($0)" }, nothing: "Nothing to mend.")
    }
}
