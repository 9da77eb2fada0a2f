/// Which part of a text is shown for words that are sought in it.
package struct TextExcerpt: Hashable, Sendable {
    /// What is sought.
    package let text: String
    /// What stands before and behind each word that was found.
    package let start: String, end: String
    /// The greatest number of words.
    package let words: Int

    package init(matching text: String, start: String, end: String, words: Int) {
        (self.text, self.start, self.end, self.words) = (text, start, end, words)
    }

    /// - Throws: `invalidValue` for a number of words that the server takes for none.
    package func check(_ path: String) throws {
        guard (2...10_000).contains(words) else {
            throw SwiftDataError(
                .invalidValue, "An excerpt of \(path) is to have \(words) words; it can have 2 to 10000.")
        }
    }

    /// Whether all texts are the same, character by character.
    package func isSame(as other: TextExcerpt) -> Bool {
        words == other.words && ExactString.equal(text, other.text) && ExactString.equal(start, other.start)
            && ExactString.equal(end, other.end)
    }

    /// As the server takes them (PostgreSQL manual, 12.3.4).
    package var options: String {
        func quoted(_ text: String) -> String {
            "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
        return "StartSel=\(quoted(start)), StopSel=\(quoted(end)), MaxWords=\(words), MinWords=\(max(1, words * 3 / 7))"
    }
}
