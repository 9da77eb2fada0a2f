import StrataModels

/// How an index finds texts by their lower case.
///
/// The lower case of predicates maps 1,400 letters, and a row of `pg_index` has no room for them. So the index has a shorter fold, of the
/// letters of Latin, Greek and Cyrillic: what the index finds is looked at exactly, and a text with a letter that other letters
/// become, too, is not looked for in the index.
package enum LowercaseIndex {
    /// What the index holds of a text. It stands in the index and in the query: one is found for the other only if both are the same.
    static func fold(_ text: SQLFragment) -> SQLFragment {
        """
        translate(lower(\(text) COLLATE "C"), \(raw: SQLFragment.literal(letters.from)), \
        \(raw: SQLFragment.literal(letters.to)))
        """
    }

    /// The column of an index's expression as the server prints it; `nil` for any other expression.
    static func column(printed: String) -> String? {
        guard
            let match = printed.firstMatch(of: /^translate\(lower\(\(*(?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_$]*))/)
        else { return nil }
        let column = match.1.map { String($0).replacing("\"\"", with: "\"") } ?? String(match.2 ?? "")
        return bare(fold("\(identifier: column)").text) == bare(printed) ? column : nil
    }

    /// Without what the server adds or writes in another way: quotes of names, parentheses, types of constants.
    private static func bare(_ sql: String) -> String {
        sql.replacing("::text", with: "").filter { !"()\"".contains($0) }
    }

    /// Whether the index holds `text` for every text whose lower case it is.
    package static func finds(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { letter in
            CaseTable.sources(ofLower: letter).allSatisfy { $0.isASCII || isMapped($0) }
        }
    }

    private static func isMapped(_ letter: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(letter.value) } && SimpleCaseMapping.lowercase(letter) != letter
    }

    /// Latin with accents, Greek, Cyrillic, and the letters beyond these that become one of theirs or of ASCII: ϴ, ẞ, and the signs of
    /// ohm, kelvin and ångström. What they become is fixed for all versions of Unicode.
    private static let ranges: [ClosedRange<UInt32>] = [
        0xC0...0xDE, 0x100...0x17D, 0x386...0x3AB, 0x400...0x42F, 0x3F4...0x3F4, 0x1E9E...0x1E9E, 0x2126...0x2126,
        0x212A...0x212B,
    ]

    /// Capital letters beyond ASCII, and what becomes of them.
    private static let letters: (from: String, to: String) = {
        let capitals = ranges.joined().compactMap(Unicode.Scalar.init).filter(isMapped)
        return (
            String(String.UnicodeScalarView(capitals)),
            String(String.UnicodeScalarView(capitals.map { SimpleCaseMapping.lowercase($0) }))
        )
    }()
}
