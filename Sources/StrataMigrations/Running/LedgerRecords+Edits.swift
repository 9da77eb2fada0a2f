extension LedgerRecords {
    /// The steps of complete stages, and of the one in progress, that the scripts no longer have as they were run.
    ///
    /// A stage that plain psql has applied has no records of its steps: there is nothing to compare.
    func edits(in scripts: [StageScript]) throws -> [EditedStep] {
        let reached = try newestVersion()?.version
        let interrupted = try stageInProgress()
        let records = Dictionary(grouping: try steps(), by: \.stage)
        return try scripts.flatMap { script in
            // Records of a stage that was taken back by its file alone say nothing any more.
            let isComplete = reached.map { $0 >= script.to.version } ?? false
            guard let records = records[script.stem], isComplete || script.stem == interrupted else {
                return [EditedStep]()
            }
            return try edits(in: script, records, isComplete: script.stem != interrupted)
        }
    }

    /// Those of one stage, in the order of its steps.
    func edits(in script: StageScript, _ records: [StepRecord], isComplete: Bool) throws -> [EditedStep] {
        let stage = script.stem
        let recorded = Dictionary(records.map { ($0.step, $0) }, uniquingKeysWith: { first, _ in first })
        let edited = try script.steps.compactMap { step -> EditedStep? in
            guard let record = recorded[step.id] else {
                guard isComplete else { return nil }
                return EditedStep(
                    stage: stage, step: step.id, text: "step \(step.id) of \(stage) was never run: \(step.title)",
                    difference: [])
            }
            // A step that was begun counts as well: half of a backfill may be done.
            guard record.checksum != step.checksum else { return nil }
            return EditedStep(step, of: stage, recorded: try content(ofStep: step.id, of: stage))
        }
        let known = Set(script.steps.map(\.id))
        let missing = records.filter { !known.contains($0.step) }.map { record in
            EditedStep(
                stage: stage, step: record.step,
                text: "step \(record.step) of \(stage) is recorded, and the file has none", difference: [])
        }
        return edited + missing.sorted { $0.step < $1.step }
    }
}
