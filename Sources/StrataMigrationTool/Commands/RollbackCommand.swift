import ArgumentParser
import StrataMigrations

/// `rollback`
struct RollbackCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Takes the newest stage back, or the one in progress.",
        discussion:
            """
            Keeps all that the older version has a place for; what only the newer one has goes. A complete stage has no way back, and \
            nothing is executed, where it let values or classes go by name or stopped storing an order, ran code, conversions or \
            statements of the plan's own, or made rows of several classes rows of one: its file says why. A stage in progress is \
            undone step by step, unless contract has done what cannot be undone.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var flags: RunnerFlags

    @Option(help: ArgumentHelp("Takes stages back down to this version.", valueName: "version"))
    var to: String?

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        let runner = try work.runner(flags.options)
        let state = try runner.state(of: work.scripts)
        let stages = try stages(of: work, state)
        for script in stages {
            // An unfinished stage is undone step by step; the runner says which step cannot be.
            if case .inProgress = state, script == stages.first { continue }
            guard case .none(let reason) = script.down else { continue }
            throw MigrationError(
                .preflightRefused, "\(script.stem) has no way back: \(reason)",
                remedy: "restore a backup, or write a new version that brings back what is needed")
        }
        for script in stages { try runner.rollback(script) }
        let current = try runner.state(of: work.scripts).version?.version.description
        return RollbackResult(database: work.summary, stages: stages.map(\.stem), current: current)
    }

    /// Newest first.
    private func stages(of work: DatabaseWork, _ state: MigrationState) throws(MigrationError) -> [StageScript] {
        var stages: [StageScript] = []
        if case .inProgress(_, let progress) = state, let number = progress.number {
            stages += work.scripts.filter { $0.number == number && $0.stem == progress.stage.stem }
        }
        let target = try to.map { text throws(MigrationError) in
            try work.scripts[VersionText.position(of: text, in: work.scripts.map(\.to.version))].to.version
        }
        guard target != nil || stages.isEmpty else { return stages }
        var position = state.version?.version
        while let version = position, version != target,
            let script = work.scripts.last(where: { $0.to.version == version })
        {
            stages.append(script)
            position = script.from?.version
            if target == nil { break }
        }
        guard target == nil || position == target else {
            throw MigrationError(.usage, "The database is not above version \(to ?? ""): nothing leads back to it.")
        }
        guard !stages.isEmpty || target != nil else { throw MigrationError(.usage, "There is nothing to take back.") }
        return stages
    }
}

/// What was taken back.
struct RollbackResult: CommandResult {
    var database: DatabaseSummary
    var stages: [String]
    var current: String?

    var isConfirmation: Bool { true }

    func text(_ style: TextStyle) -> [String] {
        guard !stages.isEmpty else { return ["Nothing to do: \(database.url) is at version \(current ?? "nothing")."] }
        return stages.map { "taken back: \($0)" }
            + [style.green("Done") + ": \(database.url) is at version \(current ?? "nothing")."]
    }
}
