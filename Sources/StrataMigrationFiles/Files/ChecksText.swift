import StrataMigrations

/// The file of questions: what must have no answer before a stage begins, and what before its drops.
enum ChecksText {
    /// One section of the file.
    enum Section {
        case check(DataCheck, isDown: Bool)
        case step(id: String, isDown: Bool, statements: [String])
    }

    static func text(_ script: StageScript) -> String? {
        var lines = sections(script.checks, script.steps, isDown: false)
        if case .steps(let steps, let checks) = script.down { lines += sections(checks, steps, isDown: true) }
        if lines.isEmpty { return nil }
        let header = [
            "-- Checks of \(script.stem). Each query lists what is wrong; nothing is changed while one of them finds rows."
        ]
        return MigrationFile.joined([header + lines])
    }

    private static func sections(_ checks: [DataCheck], _ steps: [MigrationStep], isDown: Bool) -> [String] {
        let way = isDown ? " way=down" : ""
        var lines: [String] = []
        for check in checks {
            lines += ["", "-- check \(DirectiveWord.text(check.code))\(way)"] + MigrationFile.title(check.title)
            if !check.remedy.isEmpty { lines += CommentText.lines("remedy", check.remedy) }
            lines.append(check.query + ";")
        }
        for step in steps where step.execution == .verify && !step.statements.isEmpty {
            lines += ["", "-- step \(DirectiveWord.text(step.id))\(way)"] + MigrationFile.title(step.title)
            lines += step.statements.map { $0 + ";" }
        }
        return lines
    }

    static func sections(of text: String, file: String) throws(MigrationError) -> [Section] {
        var sections: [Section] = []
        for part in try FileSection.sections(of: text, file: file) {
            let isDown = part.words.dropFirst().first == "way=down"
            guard let name = part.words.first.flatMap({ DirectiveWord.value($0) }),
                part.words.count == (isDown ? 2 : 1)
            else {
                throw MigrationError(
                    .usage, "A check's line cannot be read.", places: ["\(file):\(part.line)"],
                    remedy: "write -- check M204, or -- step 4.5, with way=down for the way back")
            }
            let texts = part.statements.map(\.textForLint)
            if part.isCheck {
                guard let query = texts.first, texts.count == 1 else {
                    throw MigrationError(
                        .usage, "The check \(name) is not one query.", places: ["\(file):\(part.line)"])
                }
                let check = DataCheck(
                    code: name, title: part.title, remedy: part.entries(.remedy).first ?? "", query: query)
                sections.append(.check(check, isDown: isDown))
            } else {
                sections.append(.step(id: name, isDown: isDown, statements: texts))
            }
        }
        return sections
    }
}
