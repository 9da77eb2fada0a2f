/// Names and numbers on a directive's line: bare where they are plain, in double quotes with escapes where not.
package enum DirectiveWord {
    package static func text(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.unicodeScalars.allSatisfy {
                ($0.properties.isAlphabetic && !CommentText.joins($0)) || ("0"..."9").contains($0) || $0 == "_"
                    || $0 == "." || $0 == "-"
            }
        return isPlain ? value : "\"" + CommentText.escaped(value) + "\""
    }

    package static func list(_ values: [String]) -> String { values.map(text).joined(separator: ",") }

    /// Cut at `isSeparator`, but not within quotes; the quotes stay. Empty pieces are left out.
    package static func split(_ line: some StringProtocol, where isSeparator: (Character) -> Bool) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var isQuoted = false
        var isEscaped = false
        for character in line {
            if !isQuoted, isSeparator(character) {
                if !piece.isEmpty { pieces.append(piece) }
                piece = ""
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            piece.append(character)
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }

    /// The value that ``text(_:)`` wrote; `nil` for anything else.
    package static func value(_ text: some StringProtocol) -> String? {
        guard text.hasPrefix("\"") else { return text.isEmpty ? nil : String(text) }
        guard text.count >= 2, text.hasSuffix("\"") else { return nil }
        return CommentText.unescaped(text.dropFirst().dropLast())
    }

    package static func values(_ text: some StringProtocol) -> [String]? {
        var values: [String] = []
        for piece in split(text, where: { $0 == "," }) {
            guard let value = value(piece) else { return nil }
            values.append(value)
        }
        return values
    }

    /// `2s`, `200ms`, `30min`; `none` for 0, which is without end.
    package static func duration(_ milliseconds: Int) -> String {
        switch milliseconds {
        case 0: "none"
        case _ where milliseconds % 60_000 == 0 && abs(milliseconds) > 60_000: "\(milliseconds / 60_000)min"
        case _ where milliseconds % 1000 == 0: "\(milliseconds / 1000)s"
        default: "\(milliseconds)ms"
        }
    }

    /// In milliseconds; `nil` for anything that ``duration(_:)`` does not write.
    package static func milliseconds(_ text: some StringProtocol) -> Int? {
        if text == "none" { return 0 }
        for (unit, factor) in [("min", 60_000), ("ms", 1), ("s", 1000)] where text.hasSuffix(unit) {
            guard let count = Int(text.dropLast(unit.count)) else { return nil }
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: factor)
            return isTooLarge ? nil : product
        }
        return nil
    }
}
