import ArgumentParser

/// `repair`
struct RepairCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract:
            "Accepts the files as they are for what was applied, drops invalid indexes that builds have left, and mends the history's triggers.",
        discussion: "For a stage that was begun, whose file had to be corrected before it could go on. Runs no step.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var lock: RunnerLockFlags

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        return LinesResult(try work.runner(lock.options).repair(work.scripts), nothing: "Nothing to repair.")
    }
}
