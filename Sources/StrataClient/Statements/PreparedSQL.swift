import Synchronization

/// SQL text that connections prepare once and then know by its number.
package final class PreparedSQL: Sendable {
    package let text: String
    /// Unique in this process; a connection's cache looks it up.
    package let id: UInt64
    /// The types of the parameters; empty when each use's own parameters decide.
    package let parameterTypes: [PostgresType]
    /// Whether connections keep it prepared. Utility statements with varying text are sent unprepared.
    package let isCached: Bool
    /// Whether the text has a character that no SQL can have.
    let hasZeroCharacter: Bool
    /// The first word of the text, in capitals: `SELECT`, `INSERT`, `COPY`, `BEGIN` …
    let operation: String

    private static let counter = Atomic<UInt64>(1)

    package init(_ text: String, parameterTypes: [PostgresType] = [], isCached: Bool = true) {
        self.text = text
        self.parameterTypes = parameterTypes
        self.isCached = isCached
        hasZeroCharacter = text.utf8.contains(0)
        operation = Self.firstWord(of: text)
        id = Self.counter.add(1, ordering: .relaxed).oldValue
    }

    /// The shared instance for this text. The process remembers a bounded number of texts; a text that was forgotten is
    /// prepared again under a new number.
    package static func interned(_ text: String) -> PreparedSQL {
        internedTexts.withLock { $0.shared(text) }
    }

    private static func firstWord(of text: String) -> String {
        let word = text.utf8
            .drop { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }
            .prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        return String(unsafeUninitializedCapacity: word.count) { bytes in
            // Without the bit that tells small letters.
            for (place, byte) in word.enumerated() { bytes[place] = byte & ~0x20 }
            return word.count
        }
    }

    private static let internedTexts = ShortLock(InternedTexts())
}
