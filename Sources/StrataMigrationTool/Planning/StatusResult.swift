import StrataMigrations

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
    /// Where the tables are not those of the version; `nil` where there is no version to compare with.
    var differences: [String]?
    /// What of the rows could not be looked at in a few seconds.
    var unread: [String] = []
    /// What was changed in files after they had been applied.
    var edits: [String] = []
    /// Files that the folder lacks of the plan: what is pending behind them cannot be told.
    var missing: [String] = []

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
            stage = progress.stage.recorded
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

    private var hasDrift: Bool { differences?.isEmpty == false }

    /// What a person must look at comes before what `apply` sees to.
    var code: MigrationError.Code? {
        if !edits.isEmpty { return .integrity }
        if hasDrift { return .drift }
        return pending.isEmpty && missing.isEmpty && state != "unrecorded" ? nil : .difference
    }

    var annotations: [Annotation] {
        var annotations: [Annotation] = []
        if !edits.isEmpty {
            annotations.append(
                Annotation(.error, title: "edited after it was applied", message: edits.joined(separator: "\n")))
        }
        if let differences, hasDrift {
            annotations.append(Annotation(.error, title: "drift", message: differences.joined(separator: "\n")))
        }
        return annotations + MissingFiles.annotations(missing)
    }

    func text(_ style: TextStyle) -> [String] {
        var lines = ["Database  \(database.line)", "Version   \(current ?? "none"), target \(target ?? "none")"]
        if let stage {
            lines.append("Stage     \(stage) in progress" + (phase.map { ", next phase \($0.rawValue)" } ?? ""))
        }
        if let step {
            let total = step.total.map { " of \(Int($0).grouped)" } ?? ""
            lines.append("Step      \(step.id): \(Int(step.done).grouped)\(total) rows")
        }
        if let differences {
            lines.append("Drift     " + (hasDrift ? style.red(differences.count.counted("difference")) : "no"))
            lines += differences.prefix(10).map { "            \($0)" }
            lines += unread.map { style.yellow("          ? \($0)") }
        }
        if current != nil {
            lines.append("Files     " + (edits.isEmpty ? "as they were applied" : style.red("edited")))
            lines += edits.map { "            \($0)" }
        }
        if state == "unrecorded" {
            return lines + [style.yellow("There are tables, but no record of migrations: adopt them with baseline.")]
        }
        if !pending.isEmpty { lines.append("Pending   " + pending.joined(separator: ", ")) }
        lines += MissingFiles.text(missing, style)
        return pending.isEmpty && missing.isEmpty ? lines + [style.green("Nothing is pending.")] : lines
    }

    private enum CodingKeys: String, CodingKey {
        case database, current, target, state, stage, phase, step, pending, drift, differences, unread, checksum, edits,
            missing
    }

    /// With `drift` as true, false, or null where it cannot be told; `checksum` is `ok` or `edited`.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(database, forKey: .database)
        try container.encodeIfPresent(current, forKey: .current)
        try container.encodeIfPresent(target, forKey: .target)
        try container.encode(state, forKey: .state)
        try container.encodeIfPresent(stage, forKey: .stage)
        try container.encodeIfPresent(phase, forKey: .phase)
        try container.encodeIfPresent(step, forKey: .step)
        try container.encode(pending, forKey: .pending)
        try container.encode(differences.map { !$0.isEmpty }, forKey: .drift)
        try container.encode(differences ?? [], forKey: .differences)
        try container.encode(unread, forKey: .unread)
        try container.encode(edits.isEmpty ? "ok" : "edited", forKey: .checksum)
        try container.encode(edits, forKey: .edits)
        try container.encode(missing, forKey: .missing)
    }
}

extension MigrationChain {
    /// The plan's version that was recorded, if it is still the same.
    func version(_ recorded: RecordedVersion) -> FrozenSchema? {
        versions.first { $0.version == recorded.version && $0.fingerprint == recorded.fingerprint }
    }
}
