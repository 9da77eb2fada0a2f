extension LedgerRecords {
    /// The steps of complete stages, and of the one in progress, that the scripts no longer have as they were run.
    ///
    /// A stage that plain psql has applied has no records of its steps: there is nothing to compare.
    func edits(in scripts: [StageScript]) throws -> [EditedStep] {
        let reached = try newestVersion()?.version
        let interrupted = try stageInProgress()
        let records = Dictionary(grouping: try steps(), by: \.stage)
        return try scripts.flatMap { script -> [EditedStep] in
            let isComplete = reached.map { $0 >= script.to.version } ?? false
            return try [StageName.Direction.forward, .back].flatMap { direction -> [EditedStep] in
                let stage = StageName(script.stem, direction)
                // Records of a stage that was taken back by its file alone say nothing any more.
                let isMeant = stage == interrupted || direction == .forward && isComplete
                guard isMeant, let records = records[stage] else { return [] }
                return try edits(
                    in: script.steps(going: direction), of: stage, records, isComplete: stage != interrupted)
            }
        }
    }

    /// Those of one stage, in the order of its steps.
    func edits(
        in steps: [MigrationStep], of stage: StageName, _ records: [StepRecord], isComplete: Bool
    ) throws -> [EditedStep] {
        let recorded = Dictionary(records.map { ($0.step, $0) }, uniquingKeysWith: { first, _ in first })
        let edited = try steps.compactMap { step -> EditedStep? in
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
        let known = Set(steps.map(\.id))
        let missing = records.filter { !known.contains($0.step) }.map { record in
            EditedStep(
                stage: stage, step: record.step,
                text: "step \(record.step) of \(stage) is recorded, and the file has none", difference: [])
        }
        return edited + missing.sorted { $0.step < $1.step }
    }
}
