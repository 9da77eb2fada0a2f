import StrataMigrations

/// A stage as `plan` shows it.
struct PlannedStage: Encodable, Sendable {
    struct Step: Encodable, Sendable {
        var id: String
        var phase: MigrationPhase
        var title: String
        /// `tx`, `no tx`, `batches of 10,000` …
        var execution: String
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
    var notes: [String]
    var steps: [Step]

    init(_ pending: PendingStages.Stage, withSQL: Bool) {
        stage = pending.script.stem
        from = pending.script.from?.version.description
        to = pending.script.to.version.description
        isStarted = pending.isStarted
        notes = pending.script.notes
        steps = pending.steps.map { step in
            Step(
                id: step.id, phase: step.phase, title: step.title, execution: Self.text(step.execution),
                lock: step.lock, tables: step.tables, history: step.history, notes: step.notes,
                sql: withSQL ? step.statements : nil)
        }
    }

    private static func text(_ execution: MigrationStep.Execution) -> String {
        switch execution {
        case .transaction: "tx"
        case .alone: "no tx, resumable"
        case .batches(_, _, let size): "batches of \(size.grouped), resumable"
        case .closure(let closure): "your \(closure.rawValue)"
        case .verify: "reads only"
        }
    }
}
