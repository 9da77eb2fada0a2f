/// Puts the ledger and the indexes right after an interruption, when the files were changed on purpose.
struct StageRepair {
    private let session: RunnerSession
    private let scripts: [StageScript]

    init(_ session: RunnerSession, scripts: [StageScript]) {
        self.session = session
        self.scripts = scripts
    }

    /// One line for each thing that was done.
    func run() throws -> [String] {
        var lines: [String] = []
        if let stage = try session.ledger.stageInProgress(), let script = scripts.first(where: { $0.stem == stage }) {
            for record in try session.ledger.steps() where record.stage == stage {
                guard let step = script.steps.first(where: { $0.id == record.step }) else { continue }
                guard step.recordedChecksum != record.checksum else { continue }
                try session.ledger.accept(step, of: stage)
                lines.append("accepted step \(step.id) of \(stage) as it is now")
            }
        }
        let indexes = Set(scripts.flatMap(\.steps).compactMap(\.index))
        for index in indexes.sorted() where try session.validity(ofIndex: index) == false {
            try session.dropConcurrently(index)
            lines.append("dropped the invalid index \(index)")
        }
        return lines
    }
}
