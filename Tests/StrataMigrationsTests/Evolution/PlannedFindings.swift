import StrataMigrationFiles
import StrataMigrations
import StrataRepository

/// What the linter has to say about planned scripts, there and back: there should be nothing, even if it does not know
/// that they were planned.
struct PlannedFindings {
    /// `0002_v1_v2 step 2.3: L101 …`
    var lines: [String] = []

    /// - Parameters:
    ///   - before: the tables before each script.
    ///   - after: and after it.
    init(_ scripts: [StageScript], before: [DatabaseDefinition?], after: [DatabaseDefinition]) {
        for (index, script) in scripts.enumerated() {
            add(script, script.stem, before[index])
            guard case .steps(let steps, let checks) = script.down else { continue }
            var back = script
            (back.steps, back.checks) = (steps, checks)
            add(back, script.wayBack.recorded, after[index])
        }
    }

    private mutating func add(_ script: StageScript, _ name: String, _ before: DatabaseDefinition?) {
        var script = script
        // That a check goes so that new code can leave a column out, and that a stage has asked before it writes a table anew, nothing but the
        // step's operation tells from a mistake.
        let told: Set<MigrationOperation> = [.omitColumn, .addGeneratedColumn]
        for index in script.steps.indices where !told.contains(script.steps[index].operation) {
            script.steps[index].operation = .custom
        }
        lines += MigrationLint(target: LintTarget(before: before)).findings(in: script).map { finding in
            "\(name) step \(finding.step ?? "?"): \(finding.rule.code) \(finding.message): \(finding.source)"
        }
    }
}
