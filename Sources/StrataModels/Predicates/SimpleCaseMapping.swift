/// Case mapping from one scalar to one scalar, which is what PostgreSQL's `lower()` and `upper()` do.
///
/// It differs from Swift's `lowercased()` and `uppercased()` only where those change the number of scalars: `"ß"` stays
/// `"ß"` in upper case, `"ŉ"` stays `"ŉ"`, `"ᾳ"` becomes `"ᾼ"`, and `"İ"` becomes a plain `"i"` in lower case.
///
/// Compared for every scalar with PostgreSQL 15 under `C.UTF-8`, lower and upper case and the fold of
/// ``LocalizedStandardFold`` are the same but for 55 pairs of letters that newer versions of Unicode added (U+1C89,
/// U+A7CB to U+A7DC, U+10D50 to U+10D65, U+16EA0 to U+16EB8), which an older server does not know. The locale matters:
/// under `C` a server maps ASCII letters only.
package enum SimpleCaseMapping {
    package static func lowercase(_ string: String) -> String {
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return string.lowercased() }
        return mapped(string, by: lowercase)
    }

    package static func uppercase(_ string: String) -> String {
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return string.uppercased() }
        return mapped(string, by: uppercase)
    }

    package static func lowercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The only scalar whose full mapping has two; its simple mapping is the first of them.
        scalar == "\u{130}" ? "i" : only(scalar.properties.lowercaseMapping) ?? scalar
    }

    package static func uppercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // Greek letters with iota below have no single capital but the title-case letter.
        only(scalar.properties.uppercaseMapping) ?? only(scalar.properties.titlecaseMapping) ?? scalar
    }

    private static func mapped(_ string: String, by mapping: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in string.unicodeScalars { scalars.append(mapping(scalar)) }
        return String(scalars)
    }

    private static func only(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
            return nil
        }
        return first
    }
}
