import Foundation
import StrataModels

/// Case mapping and folding of strings in SQL, the same on every server: without extensions, ICU, or a look at the
/// database's locale (decision 0003).
enum StringFold {
    /// Every scalar in lower case, as `SimpleCaseMapping` says.
    static func lower(_ string: SQLFragment) -> SQLFragment {
        mapped(string, "lower", CaseTable.lower)
    }

    /// Every scalar in upper case.
    static func upper(_ string: SQLFragment) -> SQLFragment {
        mapped(string, "upper", CaseTable.upper)
    }

    /// Lower case, decomposed, without accents, as `LocalizedStandardFold` says.
    static func standard(_ string: SQLFragment) -> SQLFragment {
        """
        CASE WHEN \(isASCII(string)) THEN lower(\(string) COLLATE "C") \
        ELSE translate(normalize(\(string), NFD), \(bind: CaseTable.lower.from + CaseTable.marks), \
        \(bind: CaseTable.lower.to)) END
        """
    }

    /// Whether a string, once folded, contains a text that is folded already.
    ///
    /// Letters that do not occur in the text need no lower case: what they become is not in the text either.
    static func contains(_ string: SQLFragment, _ text: String) -> SQLFragment {
        let table = CaseTable.lower(to: text)
        let folded: SQLFragment = """
            strpos(translate(normalize(\(string), NFD), \(bind: table.from + CaseTable.marks), \(bind: table.to)), \
            \(bind: text)) > 0
            """
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return folded }
        return """
            CASE WHEN \(isASCII(string)) THEN strpos(lower(\(string) COLLATE "C"), \(bind: text)) > 0 ELSE \(folded) END
            """
    }

    private static func mapped(_ string: SQLFragment, _ function: String, _ table: CaseTable) -> SQLFragment {
        """
        CASE WHEN \(isASCII(string)) THEN \(raw: function)(\(string) COLLATE "C") \
        ELSE translate(\(string), \(bind: table.from), \(bind: table.to)) END
        """
    }

    /// As many bytes as characters.
    private static func isASCII(_ string: SQLFragment) -> SQLFragment {
        "octet_length(\(string)) = length(\(string))"
    }
}

/// Letters and what they become, for `translate`: one scalar for one.
struct CaseTable {
    let from: String
    let to: String

    /// The combining marks that folding drops; `translate` drops what has no counterpart.
    static let marks = String(String.UnicodeScalarView((0x300...0x36F).compactMap(Unicode.Scalar.init)))

    static let lower = CaseTable(SimpleCaseMapping.lowercase)
    static let upper = CaseTable(SimpleCaseMapping.uppercase)

    /// The letters whose lower case occurs in a text.
    static func lower(to text: String) -> CaseTable {
        let wanted = Set(text.unicodeScalars)
        let pairs = zip(lower.from.unicodeScalars, lower.to.unicodeScalars).filter { wanted.contains($1) }
        return CaseTable(pairs: Array(pairs))
    }

    private init(_ map: (Unicode.Scalar) -> Unicode.Scalar) {
        self.init(
            pairs: (0..<0x1_FFFF).compactMap(Unicode.Scalar.init).compactMap { scalar in
                let mapped = map(scalar)
                return mapped == scalar ? nil : (scalar, mapped)
            })
    }

    private init(pairs: [(Unicode.Scalar, Unicode.Scalar)]) {
        from = String(String.UnicodeScalarView(pairs.map(\.0)))
        to = String(String.UnicodeScalarView(pairs.map(\.1)))
    }
}
