import ArgumentParser
import StrataMigrations

/// `plan`
struct PlanCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows what apply would do on a database, and asks its data whether it can be done. Changes nothing.",
        discussion: """
            Ends with 0 when nothing is pending, with 3 when something is or a file of the plan is missing, with 7 when \
            the data forbids it.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ignored: IgnoredTables

    @Flag(help: "The SQL of each step as well.")
    var sql = false

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection, ignoring: ignored.names(common))
        let runner = try work.runner()
        if let error = MigrationError(edits: try runner.editedSteps(in: work.scripts)) { throw error }
        let state = try runner.state(of: work.scripts)
        let pending = try PendingStages(state, scripts: work.scripts).stages
        let tables = Set(pending.flatMap { $0.steps.flatMap(\.tables) })
        var rows: [String: Int] = [:]
        var preflight: Preflight?
        try work.withConnection { connection in
            rows = try TableEstimates.read(schemaName: work.schemaName, on: connection)
            if let script = checkable(pending.first) { preflight = try Preflight.run(script, on: connection) }
        }
        rows = rows.filter { tables.contains($0.key) }
        return PlanResult(
            database: work.summary, current: state.version?.version.description,
            target: (pending.last?.script.to.version ?? state.version?.version)?.description, rows: rows,
            stages: pending.map { PlannedStage($0, rows: rows, withSQL: sql || common.verbose) }, preflight: preflight,
            losses: try work.losses(of: pending.first), missing: work.missing)
    }

    /// Only the next stage's checks can be asked now, and only if no closure changes the data before them.
    private func checkable(_ stage: PendingStages.Stage?) -> StageScript? {
        guard let stage, !stage.isStarted, stage.script.from != nil, !stage.script.checks.isEmpty else { return nil }
        if case .closure = stage.script.steps.first?.execution { return nil }
        return stage.script
    }
}
