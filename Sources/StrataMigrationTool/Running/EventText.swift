import StrataMigrations

/// What a runner tells, as lines for people.
enum EventText {
    static func lines(_ event: MigrationEvent, isVerbose: Bool) -> [ProgressLine] {
        guard case .statements(let step, let statements) = event else { return line(event).map { [$0] } ?? [] }
        guard isVerbose else { return [] }
        return statements.flatMap { "\($0);".split(separator: "\n") }.map { ProgressLine("\(step)    \($0)") }
    }

    private static func line(_ event: MigrationEvent) -> ProgressLine? {
        switch event {
        case .lockAcquired(let pid): ProgressLine("lock  acquired (session \(pid))")
        case .waitingForRunner(let holder, let waited):
            ProgressLine(
                .warning,
                "lock  waiting for another runner: \(holder?.description ?? "unknown"), for \(time(waited))",
                repeats: "lock")
        case .stageStarted(let stage): ProgressLine("stage \(stage)")
        case .checksPassed(_, let count, let duration):
            ProgressLine("checks \(count) ok  \(time(duration))")
        case .stepStarted(let step, let title): ProgressLine("\(step)  \(title)")
        case .statements: nil
        case .stepSkipped(let step, _, let reason):
            ProgressLine("\(step)  skipped: \(reason == .recorded ? "done before" : "found done")")
        case .stepProgress(let step, let progress):
            ProgressLine(.information, "\(step)  " + text(progress), repeats: "progress of \(step)")
        case .stepWaiting(let step, let blockers):
            ProgressLine(.warning, "\(step)  waiting for a lock" + blocked(by: blockers), repeats: "wait of \(step)")
        case .stepRetry(let step, let attempt, let limit, let reason, let blockers):
            ProgressLine(.warning, "\(step)  retry \(attempt)/\(limit): \(reason)" + blocked(by: blockers))
        case .stepFinished(let step, _, let rows, let duration):
            ProgressLine(
                .success, "\(step)  done" + (rows.map { "   " + Int($0).counted("row") } ?? "") + "   \(time(duration))"
            )
        case .indexRemoved(let step, let index):
            ProgressLine(.warning, "\(step)  dropped invalid index \(index), left by an interrupted build")
        case .stepUndone(let step, let title): ProgressLine("\(step)  taken back: \(title)")
        case .stageFinished(let stage, let version):
            ProgressLine(.success, "stage \(stage) done: version \(version)")
        case .stageStopped(let stage, let pending):
            ProgressLine("stage \(stage) stopped; left for later: \(pending.joined(separator: ", "))")
        }
    }

    /// `61%  3,050,000 rows  131k rows/s  eta 14 s`
    private static func text(_ progress: MigrationProgress) -> String {
        var parts: [String] = []
        if let total = progress.rowsTotal, total > 0 { parts.append("\(min(100, progress.rowsDone * 100 / total))%") }
        parts.append("\(Int(progress.rowsDone).grouped) rows")
        let rate = progress.rowsPerSecond
        if rate.isFinite, rate >= 1, rate < 1e12 {
            parts.append(rate < 10_000 ? "\(Int(rate)) rows/s" : "\(Int(rate / 1000))k rows/s")
        }
        if let left = progress.timeLeft { parts.append("eta \(time(left))") }
        return parts.joined(separator: "  ")
    }

    private static func blocked(by sessions: [MigrationSession]) -> String {
        sessions.isEmpty ? "" : " (blocked by \(sessions.map(\.description).joined(separator: "; ")))"
    }

    private static func time(_ duration: Duration) -> String {
        TimeSpan.text(milliseconds: max(0, Int(duration / .milliseconds(1))))
    }
}
