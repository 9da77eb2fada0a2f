import StrataClient

/// What the server makes of texts that have to be unique regardless of case: their lower case as ICU has it for no language in particular.
///
/// It is an expression, which stands in the unique index and in every query that asks for equal texts, so the server alone says which texts are
/// equal. The result is compared as bytes: a new version of ICU may sort otherwise, and no index has to be made anew for that.
package enum CaselessText {
    /// It is in `pg_catalog` of each server that was built with ICU.
    package static let collation = "und-x-icu"

    static func fold(_ text: SQLFragment) -> SQLFragment {
        "lower(\(text) COLLATE \(identifier: collation)) COLLATE \"C\""
    }

    /// The same as an operand of anything.
    package static func fold(_ text: String) -> String { "(\(fold(SQLFragment(text)).text))" }

    /// The column of an expression as the server prints it, in an index and in the errors of one; `nil` for any other expression. What the index
    /// compares by is no part of that.
    static func column(printed: String) -> String? {
        let pattern = /lower\(\(?(?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_$]*))\)?(?:::text)? COLLATE "und-x-icu"\)/
        guard let match = printed.wholeMatch(of: pattern) else { return nil }
        return match.1.map { String($0).replacing("\"\"", with: "\"") } ?? match.2.map { String($0) }
    }

    /// Texts that are equal to the server are equal in this, and some others too. The letters of ASCII are folded as everywhere; what becomes of
    /// others is the server's to know, so each run of them is one mark.
    static func rough(_ text: [UInt8]) -> [UInt8] {
        let mark: UInt8 = 0xFF
        var folded: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x41...0x5A: folded.append(UInt8(scalar.value) | 0x20)
            case ..<0x80: folded.append(UInt8(scalar.value))
            // The sign for kelvin, and an I with a dot, which becomes an i with one: no other letters have a lower case of ASCII.
            case 0x212A: folded.append(UInt8(ascii: "k"))
            case 0x130: folded += [UInt8(ascii: "i"), mark]
            case _ where folded.last != mark: folded.append(mark)
            default: break
            }
        }
        return folded
    }
}

extension PostgresError {
    /// Whether the server has no collation of ICU's, by which texts are unique regardless of case.
    package var lacksCaselessText: Bool {
        sqlState == "42704" && serverMessage?.contains("\"\(CaselessText.collation)\"") == true
    }

    /// What to do then.
    package static let caselessRemedy =
        "use a server that was built with ICU (SELECT pg_import_system_collations('pg_catalog') adds its collations to a database that lost them), "
        + "or remove case: .insensitive from the model"
}
