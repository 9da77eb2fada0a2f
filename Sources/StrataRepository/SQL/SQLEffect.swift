/// What a statement does to the transaction and the connection that it is sent over, by its words.
package enum SQLEffect: Equatable, Sendable {
    /// Returns rows. A function that writes is not known from outside.
    case reads
    /// Reads by its first word, and has the word of one that writes: in a query before the last, or in a text.
    case mayWrite
    /// May change rows, or something else that is rolled back with the transaction.
    case writes
    /// Lasts as long as the transaction, and would be over at once where none is open.
    case ofTransaction
    /// Is not for the connection of a context; with the reason.
    case foreign(String)

    package init(of text: String) {
        let words = Self.words(of: text)
        guard let first = words.first else {
            self = .foreign("it is empty")
            return
        }
        if Self.transactions.contains(first) {
            self = .foreign(
                "it begins or ends a transaction. Use transaction(block:), within another one for a savepoint")
        } else if Self.changesSession(words) {
            self = .foreign(
                "it would change a connection that others use after this context. Within a transaction, SET LOCAL lasts as long as "
                    + "that")
        } else if first == "COPY" {
            self = .foreign("COPY has a protocol of its own. Write INSERT … SELECT, or use psql")
        } else if Self.bounds.contains(first) || Self.createsTemporary(words) {
            self = .ofTransaction
        } else if Self.readers.contains(first) {
            self = words.contains(where: Self.writers.contains) ? .mayWrite : .reads
        } else {
            self = .writes
        }
    }

    private static func changesSession(_ words: [Substring]) -> Bool {
        switch words[0] {
        case "SET": !["LOCAL", "CONSTRAINTS"].contains(words.dropFirst().first)
        case "DECLARE": zip(words, words.dropFirst()).contains { $0 == ("WITH", "HOLD") }
        default: sessions.contains(words[0])
        }
    }

    /// Whether it makes a table, view or sequence of the session: these go with the transaction.
    private static func createsTemporary(_ words: [Substring]) -> Bool {
        guard words[0] == "CREATE" else { return false }
        let kind = words.dropFirst().first { !["OR", "REPLACE", "GLOBAL", "LOCAL"].contains($0) }
        return kind == "TEMP" || kind == "TEMPORARY"
    }

    private static let transactions: Set<Substring> = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE",
    ]
    private static let sessions: Set<Substring> = ["RESET", "DISCARD", "DEALLOCATE", "LISTEN", "UNLISTEN", "LOAD"]
    private static let bounds: Set<Substring> = ["SET", "LOCK", "DECLARE", "FETCH", "MOVE", "CLOSE"]
    private static let readers: Set<Substring> = ["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN"]
    private static let writers: Set<Substring> = ["INSERT", "UPDATE", "DELETE", "MERGE", "INTO"]

    /// The words in capitals, without comments at the beginning.
    private static func words(of text: String) -> [Substring] {
        withoutLeadingComments(text[...]).uppercased()
            .split { !($0.isLetter || $0 == "_") }
    }

    private static func withoutLeadingComments(_ text: Substring) -> Substring {
        let rest = text.drop { $0.isWhitespace || $0 == "(" || $0 == ";" }
        if rest.hasPrefix("--") { return withoutLeadingComments(rest.drop { !$0.isNewline }) }
        guard rest.hasPrefix("/*") else { return rest }
        var (depth, position) = (0, rest.startIndex)
        // Comments nest (manual 4.1.5).
        while position < rest.endIndex {
            if rest[position...].hasPrefix("/*") {
                depth += 1
                position = rest.index(position, offsetBy: 2)
            } else if rest[position...].hasPrefix("*/") {
                depth -= 1
                position = rest.index(position, offsetBy: 2)
                if depth == 0 { return withoutLeadingComments(rest[position...]) }
            } else {
                position = rest.index(after: position)
            }
        }
        return ""
    }
}
