import ArgumentParser
import StrataMigrations

/// `status`
struct StatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells where a database stands. Changes nothing.",
        discussion: "Ends with 0 when it is at the newest version, with 3 when something is pending.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        let state = try work.runner().state(of: work.scripts)
        return try StatusResult(work.summary, state, scripts: work.scripts)
    }
}

/// Where a database stands.
struct StatusResult: CommandResult {
    struct Step: Encodable, Sendable {
        var id: String
        var done: Int64
        var total: Int64?
    }

    var database: DatabaseSummary
    var current: String?
    var target: String?
    /// `empty`, `unrecorded`, `at` or `in_progress`.
    var state: String
    var stage: String?
    var phase: MigrationPhase?
    var step: Step?
    /// Steps of the stage in progress, then whole stages.
    var pending: [String]

    init(_ database: DatabaseSummary, _ state: MigrationState, scripts: [StageScript]) throws(MigrationError) {
        self.database = database
        current = state.version?.version.description
        target = scripts.last?.to.version.description
        switch state {
        case .unrecorded:
            (self.state, pending) = ("unrecorded", [])
            return
        case .empty: self.state = "empty"
        case .at: self.state = "at"
        case .inProgress(_, let progress):
            self.state = "in_progress"
            stage = progress.stage
            phase = progress.phase
            step = progress.current.map { Step(id: $0.id, done: $0.rowsDone, total: $0.rowsTotal) }
            if progress.isRollback {
                pending = progress.pending
                return
            }
        }
        let stages = try PendingStages(state, scripts: scripts).stages
        pending = stages.flatMap { $0.isStarted ? $0.steps.map(\.id) : [$0.script.stem] }
    }

    var code: MigrationError.Code? { pending.isEmpty && state != "unrecorded" ? nil : .difference }

    func text(_ style: TextStyle) -> [String] {
        var lines = ["Database  \(database.line)", "Version   \(current ?? "none"), target \(target ?? "none")"]
        if let stage {
            lines.append("Stage     \(stage) in progress" + (phase.map { ", next phase \($0.rawValue)" } ?? ""))
        }
        if let step {
            let total = step.total.map { " of \(Int($0).grouped)" } ?? ""
            lines.append("Step      \(step.id): \(Int(step.done).grouped)\(total) rows")
        }
        if state == "unrecorded" {
            return lines + [style.yellow("There are tables, but no record of migrations: adopt them with baseline.")]
        }
        guard !pending.isEmpty else { return lines + [style.green("Nothing is pending.")] }
        return lines + ["Pending   " + pending.joined(separator: ", ")]
    }
}
