import StrataMigrations
import StrataRepository

extension MigrationStep {
    /// Whether code of the new version can do its work while this step of phase contract is pending.
    ///
    /// It can where the step only verifies, takes away or declares. It cannot where names change, rows move or get
    /// another class, a closure runs, or a key or unique index is missing that its statements rely on; nor where a foreign key
    /// gets another delete rule, by which the server treats rows that are not in memory.
    var mayWaitForOldCode: Bool {
        switch execution {
        case .verify: true
        case .closure, .batches: false
        case .alone, .transaction: statements.allSatisfy(Self.onlyTakesAwayOrDeclares)
        }
    }

    private static func onlyTakesAwayOrDeclares(_ statement: String) -> Bool {
        if HistoryCall.isOne(statement) { return true }
        let words = statement.split(whereSeparator: \.isWhitespace).map { $0.uppercased() }
        switch words.prefix(2) {
        case ["DROP", "TRIGGER"], ["DROP", "FUNCTION"], ["DROP", "TABLE"], ["DROP", "INDEX"]: return true
        case ["CREATE", "INDEX"]: return true
        case ["ALTER", "INDEX"]: return true
        case ["INSERT", "INTO"]: return words.dropFirst(2).first == "\"STRATA\".\"SCHEMA_VERSION\""
        case ["ALTER", "TABLE"]: return changesNoNameAndNoKey(words.dropFirst(3))
        default: return false
        }
    }

    /// The words behind the table's name.
    private static func changesNoNameAndNoKey(_ words: ArraySlice<String>) -> Bool {
        switch words.prefix(2) {
        case ["DROP", "COLUMN"], ["DROP", "CONSTRAINT"], ["VALIDATE", "CONSTRAINT"], ["RENAME", "CONSTRAINT"]: true
        case ["ADD", "CONSTRAINT"]: !["UNIQUE", "PRIMARY", "FOREIGN"].contains(where: words.contains)
        case ["ALTER", "COLUMN"]: !words.contains("GENERATED") && !words.contains("IDENTITY")
        default: false
        }
    }
}
