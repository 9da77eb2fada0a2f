import ArgumentParser
import StrataMigrations

/// `status`
struct StatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells where a database stands, and whether its tables and the applied files are as they were.",
        discussion: """
            Changes nothing. Ends with 0 when the database is at the newest version and all is as it was, with 3 when \
            something is pending or a file of the plan is missing, with 4 for drift, with 5 for files that were edited after they had been applied.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ignored: IgnoredTables
    @OptionGroup var tenants: TenantOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection, ignoring: ignored.names(common))
        return try tenants.perform(on: work, in: session, common, doing: "looked at", perform)
    }

    private func perform(_ work: DatabaseWork) throws -> any CommandResult {
        let runner = try work.runner()
        let state = try runner.state(of: work.scripts)
        var result = try StatusResult(work.summary, state, scripts: work.scripts)
        result.missing = work.missing
        result.edits = try runner.editedSteps(in: work.scripts).flatMap(\.places)
        // While a stage is in progress the tables are those of no version.
        if case .at(let recorded) = state, let version = work.chain.version(recorded) {
            (result.differences, result.unread) = try work.drift(from: version, rowLimit: 5000)
        }
        return result
    }
}
