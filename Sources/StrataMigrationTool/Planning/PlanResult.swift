import StrataMigrations

/// What is pending on a database.
struct PlanResult: CommandResult {
    var database: DatabaseSummary
    var current: String?
    var target: String?
    /// Estimated rows of the tables that steps lock.
    var rows: [String: Int]
    var stages: [PlannedStage]
    var preflight: Preflight?
    /// Of the next stage.
    var losses: [PlannedLoss]
    /// Files that the folder lacks of the plan: stages behind them are not shown.
    var missing: [String]

    var code: MigrationError.Code? {
        if preflight?.findings.isEmpty == false { return .preflightRefused }
        return stages.isEmpty && missing.isEmpty ? nil : .difference
    }

    var annotations: [Annotation] {
        (preflight?.findings ?? []).map {
            Annotation(.error, title: "\($0.check): \($0.title)", message: "\($0.count) rows\n\($0.remedy)")
        } + MissingFiles.annotations(missing)
    }

    func text(_ style: TextStyle) -> [String] {
        var lines = ["Database  \(database.line)   at \(current ?? "nothing")   target \(target ?? "nothing")"]
        lines += MissingFiles.text(missing, style)
        guard !stages.isEmpty else { return missing.isEmpty ? lines + [style.green("Nothing to do.")] : lines }
        let steps = stages.map(\.steps.count).reduce(0, +)
        let phases = stages.map { Set($0.steps.map(\.phase)).count }.reduce(0, +)
        let counts = [stages.count.counted("stage"), phases.counted("phase"), steps.counted("step")]
        let estimates = rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.grouped)" }
        lines.append(
            counts.joined(separator: ", ")
                + (estimates.isEmpty ? "" : ", est. rows: " + estimates.joined(separator: ", ")))
        for (index, stage) in stages.enumerated() { lines += text(of: stage, losing: index == 0 ? losses : [], style) }
        lines += preflightText(style)
        if !stages.contains(where: { $0.steps.contains { $0.sql != nil } }) {
            lines += ["", style.dim("SQL: plan --sql      for programs: plan --format json")]
        }
        return lines
    }

    private func text(of stage: PlannedStage, losing losses: [PlannedLoss], _ style: TextStyle) -> [String] {
        let way = "\(stage.from ?? "nothing") -> \(stage.to)" + (stage.isStarted ? ", begun before" : "")
        var lines = ["", style.bold(stage.stage) + "  " + way] + stage.notes.map { "  note: \($0)" }
        if let reason = stage.noWayBack { lines.append("  no way back: \(reason)") }
        lines += losses.map { "  " + style.yellow($0.text) }
        let idWidth = stage.steps.map(\.id.count).max() ?? 0
        let titleWidth = min(64, stage.steps.map(\.title.count).max() ?? 0)
        let executionWidth = stage.steps.map(\.execution.count).max() ?? 0
        var phase: MigrationPhase?
        for step in stage.steps {
            if step.phase != phase {
                lines.append(style.bold(step.phase.rawValue.padded(9)) + " " + Self.meaning(of: step.phase, in: stage))
                phase = step.phase
            }
            let columns = [
                step.id.padded(idWidth), step.title.padded(titleWidth), step.execution.padded(executionWidth),
                Self.locks(of: step),
            ]
            lines.append(("  " + columns.joined(separator: "  ")).trimmedAtEnd)
            lines += step.notes.map { "  \(String(repeating: " ", count: idWidth))  " + style.yellow("! \($0)") }
            lines += (step.sql ?? []).flatMap { "\($0);".split(separator: "\n", omittingEmptySubsequences: false) }
                .map { style.dim("      \($0)") }
        }
        return lines
    }

    private static func locks(of step: PlannedStage.Step) -> String {
        var text = step.lock == .none ? "" : step.lock.words + " " + step.tables.joined(separator: ", ")
        if step.lock != .none { text += step.lock.letsOthersWrite ? ", reads and writes go on" : ", short" }
        if step.history == .off { text += (text.isEmpty ? "" : ", ") + "history: off" }
        return text
    }

    private static func meaning(of phase: MigrationPhase, in stage: PlannedStage) -> String {
        guard let old = stage.from else { return "nothing runs on this database yet" }
        return switch phase {
        case .expand: "safe while the code of \(old) runs"
        case .backfill where stage.startsNewCodeAfter == .contract: "safe while the code of \(old) runs"
        case .backfill: "safe while the code of \(old) and of \(stage.to) runs"
        case .contract: "only when no code of \(old) runs any more"
        }
    }

    private func preflightText(_ style: TextStyle) -> [String] {
        guard let preflight else { return [] }
        let time = TimeSpan.text(milliseconds: preflight.milliseconds)
        let bad = preflight.findings.count
        guard bad > 0 else {
            return ["", "Pre-flight  \(preflight.checks.counted("check")), \(preflight.checks) ok (\(time))"]
        }
        var lines = [
            "", "Pre-flight  \(preflight.checks.counted("check")), " + style.red("\(bad) refused") + " (\(time))",
        ]
        for finding in preflight.findings {
            lines.append(
                style.red("error[\(finding.check)]") + ": \(finding.title): \(Int(finding.count).counted("row"))")
            lines += finding.examples.map { "   = \($0)" }
            lines.append("  " + style.green("fix") + ": \(finding.remedy)")
        }
        return lines
    }
}

extension String {
    /// Without blanks at the end.
    var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension MigrationStep.Lock {
    var letsOthersWrite: Bool {
        switch self {
        case .none, .rowExclusive, .shareUpdateExclusive: true
        case .shareRowExclusive, .accessExclusive: false
        }
    }

    /// As PostgreSQL's manual writes them: `ACCESS EXCLUSIVE`.
    var words: String {
        switch self {
        case .none: "none"
        case .rowExclusive: "ROW EXCLUSIVE"
        case .shareUpdateExclusive: "SHARE UPDATE EXCLUSIVE"
        case .shareRowExclusive: "SHARE ROW EXCLUSIVE"
        case .accessExclusive: "ACCESS EXCLUSIVE"
        }
    }
}
