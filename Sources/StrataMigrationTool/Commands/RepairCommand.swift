import ArgumentParser

/// `repair`
struct RepairCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Accepts the files as they are for the stage in progress, and drops invalid indexes.",
        discussion: "For a stage that was begun, whose file had to be corrected before it could go on.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var flags: RunnerFlags

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        return LinesResult(try work.runner(flags).repair(work.scripts), nothing: "Nothing to repair.")
    }
}
