import Foundation
import StrataClient
import StrataModels

/// How an index finds parts of texts: by the trigrams of the folded text (PostgreSQL manual, `pg_trgm`).
///
/// The fold of `localizedStandardContains` maps 1,400 letters, and a row of `pg_index` has no room for them. So the index has a shorter fold,
/// of the letters of Latin, Greek and Cyrillic. A letter of any other script stands for every character in what is looked for, and
/// what the index finds is looked at exactly.
package enum TrigramIndex {
    /// What the index holds of a text. It stands in the index and in the query: one is found for the other only if both are the same.
    static func fold(_ text: SQLFragment) -> SQLFragment {
        let marks = SQLFragment.literal("[\u{300}-\u{36F}]")
        return """
            translate(lower(regexp_replace(normalize(\(text), NFD), \(raw: marks), '', 'g') COLLATE "C"), \
            \(raw: SQLFragment.literal(letters.from)), \(raw: SQLFragment.literal(letters.to)))
            """
    }

    /// `pg_trgm`'s operators for the index.
    package static let operatorClass = "gin_trgm_ops"

    /// The column of an index's expression as the server prints it; `nil` for any other expression.
    static func column(printed: String) -> String? {
        guard let match = printed.firstMatch(of: /NORMALIZE\((?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_$]*)), NFD\)/) else {
            return nil
        }
        let column = match.1.map { String($0).replacing("\"\"", with: "\"") } ?? String(match.2 ?? "")
        return bare(fold("\(identifier: column)").text) == bare(printed) ? column : nil
    }

    /// Without what the server adds or writes in another way: quotes of names, parentheses, types of constants, capitals.
    private static func bare(_ sql: String) -> String {
        sql.replacing("NORMALIZE", with: "normalize").replacing("::text", with: "").filter { !"()\"".contains($0) }
    }

    /// What `LIKE` looks for in the fold of the index; `nil` for a text that has no trigram: three letters or digits in a row that the index
    /// holds as they are.
    ///
    /// - Parameter text: folded by `localizedStandardContains`.
    static func pattern(for text: String) -> String? {
        var pattern = "%"
        var (run, longest) = (0, 0)
        for scalar in text.unicodeScalars {
            let isExact = isExact(scalar)
            switch scalar {
            case "%", "_", "\\": pattern += "\\\(scalar)"
            case _ where isExact: pattern.unicodeScalars.append(scalar)
            default: pattern += "_"
            }
            run = isExact && isOfWords(scalar) ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest < 3 ? nil : pattern + "%"
    }

    private static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
    }

    /// Whether the fold of the index makes this of every letter that becomes it.
    private static func isExact(_ scalar: Unicode.Scalar) -> Bool {
        !CaseTable.sources(ofLower: scalar).contains(where: isLeftAlone)
    }

    /// Whether the fold of the index leaves a letter as it is, whose lower case is another one. One that is decomposed does not get there.
    private static func isLeftAlone(_ letter: Unicode.Scalar) -> Bool {
        !letter.isASCII && !isMapped(letter) && isWhole(letter)
    }

    private static func isMapped(_ letter: Unicode.Scalar) -> Bool {
        range.contains(letter.value) && SimpleCaseMapping.lowercase(letter) != letter && isWhole(letter)
    }

    private static func isWhole(_ letter: Unicode.Scalar) -> Bool {
        String(letter).decomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([letter])
    }

    /// From Latin-1 to Cyrillic: what these letters become is fixed for all versions of Unicode.
    private static let range: ClosedRange<UInt32> = 0xC0...0x52F

    /// Capital letters beyond ASCII that are not decomposed, and what becomes of them.
    private static let letters: (from: String, to: String) = {
        let capitals = range.compactMap(Unicode.Scalar.init).filter(isMapped)
        let small = capitals.map { SimpleCaseMapping.lowercase($0) }
        return (String(String.UnicodeScalarView(capitals)), String(String.UnicodeScalarView(small)))
    }()
}

extension PostgresError {
    /// Whether an index of trigrams could not be made because `pg_trgm` is not installed, or not in the search path.
    package var lacksTrigrams: Bool {
        sqlState == "42704" && serverMessage?.contains(TrigramIndex.operatorClass) == true
    }

    /// What to do then.
    package static let trigramRemedy =
        "run CREATE EXTENSION pg_trgm in the database, in a schema of the search_path, or remove .trigram from the model"
}
