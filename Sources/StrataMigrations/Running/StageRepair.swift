/// Puts the ledger and the indexes right when files were changed on purpose after they had been applied, or begun.
struct StageRepair {
    private let session: RunnerSession
    private let scripts: [StageScript]

    init(_ session: RunnerSession, scripts: [StageScript]) {
        self.session = session
        self.scripts = scripts
    }

    /// One line for each thing that was done.
    func run() throws -> [String] {
        try requireWayBack()
        var lines: [String] = []
        for edit in try session.ledger.edits(in: scripts) {
            let steps = scripts.first { $0.stem == edit.stage.stem }?.steps(going: edit.stage.direction)
            guard let step = steps?.first(where: { $0.id == edit.step }) else {
                try session.ledger.remove(edit.step, of: edit.stage)
                lines.append("forgot step \(edit.step) of \(edit.stage), which the file does not have")
                continue
            }
            if try session.ledger.isRecorded(step, of: edit.stage) {
                try session.ledger.accept(step, of: edit.stage)
                lines.append("accepted step \(step.id) of \(edit.stage) as it is now")
            } else {
                try session.ledger.finish(step, of: edit.stage)
                lines.append("recorded step \(step.id) of \(edit.stage) without running it: its stage is complete")
            }
        }
        let indexes = Set(scripts.flatMap(\.steps).compactMap(\.index))
        for index in indexes.sorted() where try session.validity(ofIndex: index) == false {
            try session.dropConcurrently(index)
            lines.append("dropped the invalid index \(index)")
        }
        return lines
    }

    /// A way back that has begun needs its file: without the records of its steps, the newer version would be recorded as complete
    /// although a part of its tables is the older one's.
    private func requireWayBack() throws {
        let interrupted = try session.ledger.stageInProgress()
        guard let script = scripts.first(where: { $0.wayBack == interrupted }), case .none = script.down else { return }
        throw MigrationError(
            .integrity, "The way back of \(script.stage) has begun, and the stage has no way back any more.",
            remedy: "bring the file of its way back, back; then run rollback")
    }
}
