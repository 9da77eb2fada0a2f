import Foundation
import StrataModels

/// Case mapping and folding of strings in SQL, the same on every server: without extensions, ICU, or a look at the
/// database's locale (decision 0003).
enum StringFold {
    /// Every scalar in lower or upper case, as `SimpleCaseMapping` says.
    static func mapped(_ string: SQLFragment, _ mapping: CaseTable.Mapping) -> SQLFragment {
        let table = CaseTable.all(mapping)
        return """
            CASE WHEN \(isASCII(string)) THEN \(raw: mapping.rawValue)(\(string) COLLATE "C") \
            ELSE translate(\(string), \(bind: table.from), \(bind: table.to)) END
            """
    }

    /// The same as far as a comparison with `text` can tell: letters that become none of the text's keep their case.
    static func mapped(_ string: SQLFragment, _ mapping: CaseTable.Mapping, for text: String) -> SQLFragment {
        let table = CaseTable.leading(to: text, mapping)
        return "translate(\(string), \(bind: table.from), \(bind: table.to))"
    }

    /// Lower case, decomposed, without accents, as `LocalizedStandardFold` says.
    static func standard(_ string: SQLFragment) -> SQLFragment {
        let table = CaseTable.all(.lower)
        return """
            CASE WHEN \(isASCII(string)) THEN lower(\(string) COLLATE "C") \
            ELSE translate(\(withoutMarks(string)), \(bind: table.from), \(bind: table.to)) END
            """
    }

    /// Whether a string, once folded, contains a text that is folded already.
    static func contains(_ string: SQLFragment, _ text: String) -> SQLFragment {
        let folded: SQLFragment = "strpos(\(mapped(withoutMarks(string), .lower, for: text)), \(bind: text)) > 0"
        // A string of ASCII has nothing to decompose, and only a text of ASCII is found in it.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return folded }
        return """
            CASE WHEN \(isASCII(string)) THEN strpos(lower(\(string) COLLATE "C"), \(bind: text)) > 0 ELSE \(folded) END
            """
    }

    private static func withoutMarks(_ string: SQLFragment) -> SQLFragment {
        "regexp_replace(normalize(\(string), NFD), \(bind: "[\u{300}-\u{36F}]"), '', 'g')"
    }

    /// As many bytes as characters.
    private static func isASCII(_ string: SQLFragment) -> SQLFragment {
        "octet_length(\(string)) = length(\(string))"
    }
}
