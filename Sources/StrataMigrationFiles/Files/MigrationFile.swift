package import StrataMigrations
import StrataModels

/// The files of one stage, written for people, for plain psql, and for ``StageScript/init(upText:downText:checksText:stem:)``.
package struct MigrationFile: Hashable, Sendable {
    /// `0004_v3_v4.sql`.
    package let upText: String
    /// `0004_v3_v4.down.sql`; `nil` where there is no way back, which the header of the file above then explains.
    package let downText: String?
    /// `0004_v3_v4.checks.sql`; `nil` where nothing is checked.
    package let checksText: String?

    private let script: StageScript

    /// Writes a script down; reading it gives the ``StageScript/clean()`` one.
    ///
    /// Throws ``MigrationError`` with the code `usage` for SQL that cannot be taken apart.
    ///
    /// - Parameter replaces: The stages a squashed file stands for.
    package init(
        _ script: StageScript, replaces: ClosedRange<Int>? = nil
    ) throws(MigrationError) {
        let script = try script.clean()
        self.script = script
        let preamble = { (from: StageScript.Version?, steps: [MigrationStep]) in
            FilePreamble.statements(from: from, steps: steps, script: script).map { $0 + ";" }
        }
        let checks = ChecksText.text(script)
        checksText = checks
        if case .steps(let steps, let checks) = script.down {
            downText = Self.joined([
                Self.downHeader(script), preamble(script.to, steps),
                Self.sections(steps, checks: checks, stem: script.stem),
            ])
        } else {
            downText = nil
        }
        let up = Self.joined([
            Self.header(script, hasChecks: checks != nil, replaces: replaces), preamble(script.from, script.steps),
            Self.sections(script.steps, checks: script.checks, stem: script.stem),
        ])
        if let generation = script.generation, !generation.isEdited {
            upText = generation.written(into: up, down: downText, checks: checksText)
        } else {
            upText = up
        }
    }

    /// Names with texts, in the order of the sum file.
    package var files: [(name: String, text: String)] {
        [(script.stem + ".sql", upText)]
            + (downText.map { [(script.stem + ".down.sql", $0)] } ?? [])
            + (checksText.map { [(script.stem + ".checks.sql", $0)] } ?? [])
    }

    // MARK: - Parts

    private static func header(_ script: StageScript, hasChecks: Bool, replaces: ClosedRange<Int>?) -> [String] {
        let from = script.from.map { "from \($0.version) " } ?? ""
        var lines = [
            "-- Migration \(script.stem): \(from)to \(script.to.version).",
            byHand(script.stem + ".sql"),
            "-- from: " + (script.from.map(text) ?? "nothing"), "-- to: " + text(script.to),
            "-- schema: " + DirectiveWord.text(script.schemaName),
        ]
        if let replaces {
            lines.append("-- replaces: \(replaces.lowerBound)..\(replaces.upperBound)")
            lines.append("-- For empty databases only; all others take the stages it replaces.")
        }
        switch script.down {
        case .steps: lines.append("-- down: \(script.stem).down.sql")
        case .none(let reason): lines += ["-- down: none"] + CommentText.lines("because", reason)
        }
        lines.append("-- checks: " + (hasChecks ? script.stem + ".checks.sql" : "none"))
        for note in script.notes { lines += CommentText.lines("note", note) }
        // That a check is repeated is for its own place; all else that a step notes is for whoever reads the head alone.
        for step in script.steps where step.repeatedCheck == nil {
            for note in step.notes {
                lines.append("-- ! step \(CommentText.escaped(step.id)) \(CommentText.escaped(note))")
            }
        }
        return lines
    }

    private static func downHeader(_ script: StageScript) -> [String] {
        [
            "-- Migration \(script.stem), the way back: from \(script.to.version) to "
                + (script.from.map { "\($0.version)." } ?? "nothing."),
            byHand(script.stem + ".down.sql"),
        ]
    }

    private static func byHand(_ file: String) -> String {
        "-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f \(file)"
    }

    private static func text(_ version: StageScript.Version) -> String {
        "\(version.version) \(DirectiveWord.text(version.fingerprint))"
    }

    private static func sections(_ steps: [MigrationStep], checks: [DataCheck], stem: String) -> [String] {
        let firstChecked =
            steps.firstIndex { if case .closure = $0.execution { false } else { true } } ?? steps.endIndex
        var lines: [String] = []
        for (index, step) in steps.enumerated() {
            if index == firstChecked { lines += checkSection(checks, stem: stem) }
            lines += ["", StepDirective.text(step)] + title(step.title)
            if let operation = OperationDirective.text(step) { lines.append(operation) }
            for note in step.notes { lines += CommentText.lines("note", note) }
            if let done = step.done { lines += CommentText.lines("done", done) }
            for undo in step.undo { lines += CommentText.lines("undo", undo) }
            lines += body(step, stem: stem)
        }
        if firstChecked == steps.endIndex { lines += checkSection(checks, stem: stem) }
        return lines
    }

    static func title(_ title: String) -> [String] {
        guard !title.hasPrefix("\n"), CommentText.isPlain(title) else { return CommentText.lines("title", title) }
        if title.isEmpty { return [] }
        var lines = CommentText.lines("title", title)
        lines[0] = "--   " + (title.split(separator: "\n", omittingEmptySubsequences: false).first ?? "")
        return lines
    }

    private static func body(_ step: MigrationStep, stem: String) -> [String] {
        switch step.execution {
        case .transaction, .alone, .batches:
            // What the runner sees to itself is a line above and a line below.
            let line = { (statements: [String]) in statements.map { $0 + ";" }.joined(separator: " ") }
            let lines = [line(PsqlDressing.before(step))] + step.statements.map { $0 + ";" }
            return lines + [line(PsqlDressing.after(step))]
        case .closure(let closure):
            return [
                "-- SQL cannot carry this step: it is Swift. Apply this stage with the program that holds the plan.",
                "-- With psql: see to it yourself, then run this file with PGOPTIONS='-c strata.closures=done'.",
                PsqlDressing.refusal(of: closure, step: step.id) + ";",
            ]
        case .verify:
            return ["-- The queries stand in \(stem).checks.sql; here they stop psql."]
                + step.statements.map {
                    PsqlDressing.refusal(of: $0, message: "step \(step.id), \(step.title): not so") + ";"
                }
        }
    }

    /// For psql; the checks proper stand in their own file.
    private static func checkSection(_ checks: [DataCheck], stem: String) -> [String] {
        if checks.isEmpty { return [] }
        return ["", "-- The queries of \(stem).checks.sql; here they stop psql before anything is changed."]
            + checks.map { PsqlDressing.refusal(of: $0.query, message: "\($0.code): \($0.title)") + ";" }
    }

    static func joined(_ parts: [[String]]) -> String {
        parts.map { $0.drop { $0.isEmpty }.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}
