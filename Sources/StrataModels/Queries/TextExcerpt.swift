/// Which part of a text is shown for words that are sought in it.
package struct TextExcerpt: Sendable {
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

    /// As the server takes them (PostgreSQL manual, 12.3.4).
    package var options: String {
        func quoted(_ text: String) -> String {
            "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
        return "StartSel=\(quoted(start)), StopSel=\(quoted(end)), MaxWords=\(words), MinWords=\(max(1, words * 3 / 7))"
    }
}

/// Excerpts are equal when the server is asked for the same: "é" in one scalar and in two are different texts.
extension TextExcerpt: Equatable {
    package static func == (lhs: TextExcerpt, rhs: TextExcerpt) -> Bool {
        lhs.words == rhs.words && ExactString.equal(lhs.text, rhs.text) && ExactString.equal(lhs.start, rhs.start)
            && ExactString.equal(lhs.end, rhs.end)
    }
}
