import ArgumentParser
import StrataMigrations

/// `apply`
struct ApplyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract:
            "Brings a database to the newest version, or as far as it is told. Goes on where an earlier run stopped.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var flags: RunnerFlags
    @OptionGroup var ignored: IgnoredTables
    @OptionGroup var tenants: TenantOptions

    @Option(
        help: ArgumentHelp("Stops behind this phase: expand, backfill or contract.", valueName: "phase"),
        transform: Self.phase)
    var phase = MigrationPhase.contract

    @Option(help: ArgumentHelp("Stops at this version.", valueName: "version"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "Stops after so many steps. What lies between the closures of a custom stage is run together.",
            valueName: "count"))
    var steps: Int?

    func validate() throws {
        guard steps.map({ $0 > 0 }) ?? true else { throw ValidationError("--steps must be 1 or more.") }
    }

    private static func phase(_ text: String) throws -> MigrationPhase {
        if let phase = MigrationPhase(rawValue: text) { return phase }
        throw ValidationError("There is no phase \(text): use expand, backfill or contract.")
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection, ignoring: ignored.names(common))
        // What is applied leads to what the program expects.
        try session.files(common).check(work.chain, schemaName: work.schemaName)
        return try tenants.perform(on: work, in: session, common, doing: "applied to") { try perform($0, in: session) }
    }

    private func perform(_ work: DatabaseWork, in session: ToolSession) throws -> any CommandResult {
        let number = try work.number(leadingTo: to)
        var options = flags.options
        options.stepLimit = steps
        let runner = try work.runner(options)
        let before = try runner.state(of: work.scripts)
        if phase == .contract, steps == nil { try reportLosses(of: work, before, through: number, to: session) }
        try runner.apply(work.scripts, through: phase, to: number)
        let after = try runner.state(of: work.scripts)
        var result = ApplyResult(work.summary, before: before, after: after)
        if case .at(let recorded) = after, let version = work.chain.version(recorded) {
            result.unrecorded = try work.historyFindings(at: version)
        }
        return result
    }

    /// What cannot be applied at all is the runner's to say.
    private func reportLosses(
        of work: DatabaseWork, _ state: MigrationState, through number: Int?, to session: ToolSession
    ) throws {
        guard let stage = try? PendingStages(state, scripts: work.scripts).stages.first,
            stage.script.number <= number ?? .max
        else { return }
        for loss in try work.losses(of: stage) {
            session.report(ProgressLine(.warning, (work.tenant.map { "\($0)  " } ?? "") + loss.text))
        }
    }
}

/// From where to where a database was brought.
struct ApplyResult: CommandResult {
    var database: DatabaseSummary
    var from: String?
    var current: String?
    /// Steps of a stage that is not complete.
    var pending: [String]
    /// What keeps changes from being recorded.
    var unrecorded: [String] = []
    private var hasChanged: Bool

    private enum CodingKeys: String, CodingKey {
        case database, from, current, pending, unrecorded
    }

    init(_ database: DatabaseSummary, before: MigrationState, after: MigrationState) {
        self.database = database
        from = before.version?.version.description
        current = after.version?.version.description
        pending = if case .inProgress(_, let progress) = after { progress.pending } else { [] }
        hasChanged = before != after
    }

    var isConfirmation: Bool { unrecorded.isEmpty }

    var annotations: [Annotation] {
        unrecorded.isEmpty
            ? [] : [Annotation(.warning, title: "history", message: unrecorded.joined(separator: "\n"))]
    }

    func text(_ style: TextStyle) -> [String] {
        outcome(style) + unrecorded.map { style.yellow("  \($0)") }
    }

    private func outcome(_ style: TextStyle) -> [String] {
        let place = "\(database.url) is at version \(current ?? "nothing")"
        guard hasChanged else { return [style.green("Nothing to do") + ": \(place)."] }
        guard pending.isEmpty else { return ["\(place); left for later: \(pending.joined(separator: ", "))."] }
        return [style.green("Done") + ": \(place)."]
    }
}
