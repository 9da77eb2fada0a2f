/// The key of a row that several columns have: the JSON array of its parts, as a text.
///
/// It is what the server writes of the columns (`to_jsonb(a) || to_jsonb(b)`, decision 0047; of a date what it is in UTC, decision 0052), byte by
/// byte: so one key is one text, wherever it was made.
extension RowKey {
    /// The key that has these parts, in their order.
    package init?(parts: [RowKey]) {
        var text = "["
        for (place, part) in parts.enumerated() {
            if place > 0 { text += ", " }
            switch part.kind {
            case .integer: text += part.description
            case .uuid, .text, .date: text += Self.literal(part.description)
            }
        }
        self.init(text: text + "]")
    }

    /// The parts of a key of several columns; `nil` for a text that is none of these kinds, or in another form.
    package func parts(_ kinds: [Kind]) -> [RowKey]? {
        guard let text else { return nil }
        var reader = PartReader(text)
        guard let parts = reader.parts(kinds), RowKey(parts: parts) == self else { return nil }
        return parts
    }

    /// As the server writes a text in JSON.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\u{8}": literal += "\\b"
            case "\u{C}": literal += "\\f"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.value < 0x20:
                literal += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}

/// Reads the parts of a key from its text. What it takes for them is compared with the text by whoever asks: it need not find all that is wrong.
private struct PartReader {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    mutating func parts(_ kinds: [RowKey.Kind]) -> [RowKey]? {
        guard rest.popFirst() == "[" else { return nil }
        var parts: [RowKey] = []
        for kind in kinds {
            guard let word = rest.first == "\"" ? literal() : word(), let part = RowKey(word, of: kind) else {
                return nil
            }
            parts.append(part)
            guard let end = rest.popFirst() else { return nil }
            if end == "," { rest = rest.dropFirst() }
        }
        return rest.isEmpty ? parts : nil
    }

    private mutating func word() -> String {
        let word = rest.prefix { $0 != "," && $0 != "]" }
        rest = rest.dropFirst(word.count)
        return String(Substring(word))
    }

    private mutating func literal() -> String? {
        rest = rest.dropFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(text) }
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "b": text.append("\u{8}")
            case "f": text.append("\u{C}")
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            case "u":
                let digits = rest.prefix(4)
                rest = rest.dropFirst(4)
                guard let value = UInt32(String(Substring(digits)), radix: 16), let control = Unicode.Scalar(value)
                else {
                    return nil
                }
                text.append(control)
            case let escaped?: text.append(escaped)
            case nil: return nil
            }
        }
        return nil
    }
}
