import Foundation

/// The form in which `localizedStandardContains` and `localizedCompare` compare strings.
///
/// In this order:
/// 1. every scalar is lowercased by its simple mapping (``SimpleCaseMapping``; no context, no locale),
/// 2. the result is decomposed canonically (NFD),
/// 3. the combining marks U+0300 to U+036F are dropped.
///
/// In PostgreSQL, with a database in UTF8:
///
/// ```sql
/// regexp_replace(normalize(lower(x COLLATE "C.UTF-8"), NFD), U&'[\0300-\036F]', '', 'g')
/// ```
///
/// Letters that are not composed stay apart: `ø` is not `o`, `ß` is not `ss`, `ı` is not `i`.
package enum LocalizedStandardFold {
    package static func fold(_ string: String) -> String {
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return string.lowercased() }
        let decomposed = SimpleCaseMapping.lowercase(string).decomposedStringWithCanonicalMapping
        var folded = String.UnicodeScalarView()
        for scalar in decomposed.unicodeScalars where !(0x300...0x36F).contains(scalar.value) { folded.append(scalar) }
        return String(folded)
    }
}
