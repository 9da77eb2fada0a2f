import StrataMigrations

/// The texts of one stage, and what they say.
struct StageFiles: Hashable {
    /// By name: `0004_v3_v4.sql`, `0004_v3_v4.down.sql`.
    let texts: [String: String]
    let script: StageScript

    /// Those of a folder.
    init(_ stem: String, in folder: [String: String]) throws(MigrationError) {
        var texts: [String: String] = [:]
        for ending in Self.endings { texts[stem + ending] = folder[stem + ending] }
        guard let up = texts[stem + ".sql"] else {
            throw MigrationError(
                .integrity, "\(stem).sql is missing.", places: ["\(stem).sql:1"],
                remedy: "restore it from version control")
        }
        script = try StageScript(
            upText: up, downText: texts[stem + ".down.sql"], checksText: texts[stem + ".checks.sql"], stem: stem)
        self.texts = texts
    }

    /// Those that are written for a script.
    init(_ script: StageScript, replaces: ClosedRange<Int>? = nil) throws(MigrationError) {
        let files = try MigrationFile(script, replaces: replaces).files
        self.script = script
        texts = Dictionary(files.map { ($0.name, $0.text) }) { $1 }
    }

    private static let endings = [".sql", ".down.sql", ".checks.sql"]

    /// By the texts alone, whatever the line ends that version control has made, and whether they name operations.
    static func == (one: StageFiles, other: StageFiles) -> Bool { one.comparable == other.comparable }

    func hash(into hasher: inout Hasher) { hasher.combine(comparable) }

    private var comparable: [String: String] {
        texts.mapValues { OperationDirective.removed(from: $0.replacing("\r\n", with: "\n")) }
    }

    /// The same texts with another number wherever they say it: in the name, the ids of steps, and the record.
    func numbered(_ number: Int) throws(MigrationError) -> StageFiles {
        let (old, oldNumber) = (script.stem, script.number)
        var renumbered = script
        renumbered.number = number
        let new = renumbered.stem
        var folder: [String: String] = [:]
        for ending in Self.endings {
            folder[new + ending] = texts[old + ending]?.replacing(old, with: new)
                .replacing("step \(oldNumber).", with: "step \(number).")
        }
        return try StageFiles(new, in: try StageFiles(new, in: folder).textsNaming(script.allSteps))
    }

    /// The same texts, whose steps are the given ones with other numbers: their operations are those.
    private func textsNaming(_ steps: [MigrationStep]) -> [String: String] {
        var lines: [String: String] = [:]
        for (former, step) in zip(steps, script.allSteps) {
            var step = step
            step.operation = former.operation
            lines[OperationDirective.text(former) ?? ""] = OperationDirective.text(step)
        }
        return texts.mapValues { text in
            let written = text.split(separator: "\n", omittingEmptySubsequences: false)
            return written.map { lines[String($0)] ?? String($0) }.joined(separator: "\n")
        }
    }
}

extension StageScript {
    /// There and back.
    fileprivate var allSteps: [MigrationStep] {
        if case .steps(let down, _) = down { steps + down } else { steps }
    }
}
