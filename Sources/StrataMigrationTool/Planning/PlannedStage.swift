import StrataMigrations

/// A stage as `plan` shows it.
struct PlannedStage: Encodable, Sendable {
    struct Step: Encodable, Sendable {
        var id: String
        var phase: MigrationPhase
        var title: String
        /// `tx`, `no tx`, `about 500 batches of 10,000` …
        var execution: String
        /// What a backfill goes through, as PostgreSQL estimates it.
        var rows: Int?
        var lock: MigrationStep.Lock
        var tables: [String]
        var history: MigrationStep.History
        var notes: [String]
        var sql: [String]?
    }

    var stage: String
    var from: String?
    var to: String
    var isStarted: Bool
    /// When code of the newer version may start.
    var startsNewCodeAfter: MigrationPhase
    var notes: [String]
    /// Why it cannot be taken back once it is complete; `nil` where it can.
    var noWayBack: String?
    var steps: [Step]

    init(_ pending: PendingStages.Stage, rows: [String: Int], withSQL: Bool) {
        stage = pending.script.stem
        from = pending.script.from?.version.description
        to = pending.script.to.version.description
        isStarted = pending.isStarted
        startsNewCodeAfter = pending.steps.neededByNewCode.isEmpty ? .backfill : .contract
        notes = pending.script.notes
        if case .none(let reason) = pending.script.down { noWayBack = reason }
        steps = pending.steps.map { step in
            Step(
                id: step.id, phase: step.phase, title: step.title, execution: Self.text(step.execution, rows),
                rows: Self.rows(step.execution, rows),
                lock: step.lock, tables: step.tables, history: step.history, notes: step.notes,
                sql: withSQL ? step.statements : nil)
        }
    }

    private static func rows(_ execution: MigrationStep.Execution, _ rows: [String: Int]) -> Int? {
        if case .batches(let table, _, _, _) = execution { rows[table] } else { nil }
    }

    private static func text(_ execution: MigrationStep.Execution, _ rows: [String: Int]) -> String {
        switch execution {
        case .transaction: "tx"
        case .alone: "no tx, resumable"
        case .batches(_, _, let size, let kind):
            // The record of a walk has room for a number.
            (Self.rows(execution, rows).map { batches($0, of: size) } ?? "batches of \(size.grouped)")
                + (kind == .integer ? ", resumable" : ", begins anew")
        case .closure(let closure): "your \(closure.rawValue)"
        case .verify: "reads only"
        }
    }

    private static func batches(_ rows: Int, of size: Int) -> String {
        let count = max(1, (rows + size - 1) / max(1, size))
        return "about \(count.grouped) \(count == 1 ? "batch" : "batches") of \(size.grouped)"
    }
}
