import StrataMigrations

/// A statement with what the rules ask about it.
struct LintStatement: Sendable {
    /// Position in the whole script.
    var position: Int
    var words: LintWords
    var shape: LintShape
    /// The first line.
    var source: String
    var line: Int
    /// `nil` for SQL that is not part of a stage.
    var step: MigrationStep?
    /// The lock timeout in milliseconds; `nil` where nobody set one.
    var lockTimeout: Int?
    /// Whether this session's changes are kept out of the history.
    var isUnrecorded: Bool

    init(_ statement: TokenizedStatement, position: Int, step: MigrationStep? = nil) {
        self.position = position
        self.step = step
        words = LintWords(statement.tokens)
        shape = LintShape(words)
        source = statement.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        line = statement.line
        lockTimeout = step?.lockTimeout
        isUnrecorded = step?.history == .off
    }

    /// The table it works on, if it is about one.
    var table: LintName? {
        switch shape {
        case .alterTable(let table, _), .createTable(let table, _, _, _), .update(let table, _), .delete(let table, _),
            .insertSelect(let table, _):
            table
        case .createIndex(let index): index.table
        default: nil
        }
    }

    var actions: [TableAction] {
        if case .alterTable(_, let actions) = shape { actions } else { [] }
    }

    var createsTrigger: Bool {
        words.starts("create", "trigger") || words.starts("create", "or", "replace", "trigger")
            || words.starts("create", "constraint", "trigger")
    }

    /// What `SET` gives the setting, as written; a prefix in front of a dot does not count.
    func setting(_ name: String) -> String? {
        guard words.starts("set"), let index = words.words.firstIndex(where: { $0.text == name }) else { return nil }
        return words[index + 2]?.text
    }
}

/// A length of time as settings write it: `2s`, `500ms`, `1500`.
func milliseconds(_ text: String) -> Int? {
    let digits = text.prefix { $0.isNumber }
    guard let number = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).trimmingPrefix(" ") {
    case "", "ms": return number
    case "s": return number.multipliedReportingOverflow(by: 1000).partialValue
    case "min": return number.multipliedReportingOverflow(by: 60_000).partialValue
    default: return nil
    }
}
