/// How far a stage has come.
package struct StageProgress: Hashable, Sendable {
    package var stage: StageName
    /// The furthest phase in which a step was begun that does more than verify; known without the script.
    package var begun: MigrationPhase
    /// The script's number; `nil` when no script has this name.
    package var number: Int?
    package var target: StageScript.Version?
    package var done: [String]
    /// In order; empty when no script has this name.
    package var pending: [String]
    /// The phase of the first pending step.
    package var phase: MigrationPhase?
    /// The step that was begun and is not done: a backfill or a concurrent build.
    package var current: CurrentStep?

    package struct CurrentStep: Hashable, Sendable {
        package var id: String
        package var rowsDone: Int64
        package var rowsTotal: Int64?
    }

    /// Whether the stage is being taken back by its way back.
    package var isRollback: Bool { stage.direction == .back }
}

extension StageProgress {
    /// What the ledger has of one step of a stage.
    package struct Record: Sendable {
        let step: String
        let isDone: Bool
        let rowsDone: Int64
        let rowsTotal: Int64?
        /// The line that says how the step is run; `nil` where nobody has written it down.
        let directive: String?

        package init(step: String, isDone: Bool, rowsDone: Int64, rowsTotal: Int64?, directive: String?) {
            self.step = step
            self.isDone = isDone
            self.rowsDone = rowsDone
            self.rowsTotal = rowsTotal
            self.directive = directive
        }
    }

    /// From the steps that were begun, in the order in which they were, and the script of this name, if there is one.
    package init(of stage: StageName, _ records: [Record], in scripts: [StageScript]) {
        let script = scripts.first { $0.stem == stage.stem }
        let steps = script?.steps(going: stage.direction) ?? []
        let done = records.filter(\.isDone).map(\.step)
        let pending = steps.filter { !done.contains($0.id) }
        var underWay = StageUnderWay(stage)
        for record in records { underWay.add(record.directive, isDone: record.isDone) }
        self.init(
            stage: stage, begun: underWay.phase, number: script?.number,
            target: stage.direction == .back ? script?.from : script?.to, done: done, pending: pending.map(\.id),
            phase: pending.first?.phase,
            current: records.last { !$0.isDone }.map {
                CurrentStep(id: $0.step, rowsDone: $0.rowsDone, rowsTotal: $0.rowsTotal)
            })
    }
}
