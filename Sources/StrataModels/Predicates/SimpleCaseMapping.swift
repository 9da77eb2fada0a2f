/// Case mapping from one scalar to one scalar, which is what PostgreSQL's `lower()` and `upper()` do.
///
/// It differs from Swift's `lowercased()` and `uppercased()` only where those change the number of scalars: `"ß"` stays
/// `"ß"` in upper case, `"ŉ"` stays `"ŉ"`, `"ᾳ"` becomes `"ᾼ"`, and `"İ"` becomes a plain `"i"` in lower case.
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
        guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else { return nil }
        return first
    }
}
