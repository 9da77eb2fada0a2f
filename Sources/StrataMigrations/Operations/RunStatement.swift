/// A statement of the plan's own.
struct RunStatement: PlannedOperation {
    var text: String

    var kind: MigrationOperation { .runStatement }
    var title: String { "statement of the plan" }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] { [text] }

    /// Whether it may change more than rows, as far as its first word tells: somebody else has written it.
    var mayChangeTables: Bool {
        let words = ["select", "insert", "update", "delete", "with", "values"]
        let tokens = (try? SQLTokenizer.tokens(of: text))?.lazy.filter { $0.kind != .comment && $0.text != "(" }
        guard let first = tokens?.first else { return true }
        return !words.contains(where: first.isWord)
    }
}
