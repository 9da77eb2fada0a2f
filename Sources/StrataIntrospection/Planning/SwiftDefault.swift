/// What a column begins with, in Swift.
enum SwiftDefault {
    /// - Parameter expression: as PostgreSQL prints it: `'new'::text`, `now()`, `0`.
    /// - Returns: `nil` for what Swift cannot say.
    static func value(of expression: String, for type: SwiftType) -> String? {
        let constant = Constant(expression)
        let text = constant.text
        switch type.use {
        case .boolean: return ["true", "false"].contains(text) ? text : nil
        case .number: return number(text, type.name)
        case .text: return constant.isQuoted ? quoted(text) : nil
        case .moment: return isNow(constant) ? "Date()" : nil
        // The sessions of tables of others are in UTC.
        case .day: return isNow(constant) || text == "CURRENT_DATE" ? "CalendarDate.today(in: .gmt)" : nil
        case .uuid:
            return switch text {
            case "gen_random_uuid()", "uuid_generate_v4()": "UUID()"
            case "uuidv7()", "uuid_generate_v7()": "UUID.v7()"
            default: nil
            }
        case .list: return ["{}", "ARRAY[]"].contains(text) ? "[]" : nil
        case .document:
            return switch text {
            case "{}": ".object([:])"
            case "[]": ".array([])"
            default: nil
            }
        case .enumeration(let cases):
            return constant.isQuoted ? cases.first { $0.label == text }.map { ".\($0.name)" } : nil
        case .range: return text == "empty" ? ".empty" : nil
        case .data, .time: return nil
        }
    }

    private static func isNow(_ constant: Constant) -> Bool {
        if constant.isQuoted { return constant.text == "now" }
        return [
            "now()", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "transaction_timestamp()", "statement_timestamp()",
            "clock_timestamp()",
        ]
        .contains(constant.text)
    }

    private static func number(_ text: String, _ type: String) -> String? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), digits.count <= 15,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        guard parts.count == 2 else { return text }
        switch type {
        case "Double", "Float": return text
        case "Decimal":
            // Exactly: a literal with a point would go by way of Double.
            let sign = text.hasPrefix("-") ? "-" : ""
            let whole = (parts[0] + parts[1]).drop { $0 == "0" }
            guard !whole.isEmpty else { return "0" }
            return "Decimal(\(sign)\(whole)) / 1\(String(repeating: "0", count: parts[1].count))"
        default: return nil
        }
    }

    /// A Swift string literal.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 32 || scalar.value == 127 {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}

/// An expression without the casts and parentheses around it: `'0'::smallint` → `0`, `(-1)` → `-1`, `(1)::smallint + 1` as it is.
private struct Constant {
    private(set) var text: String
    /// Whether it was a text in quotes.
    private(set) var isQuoted = false

    init(_ expression: String) {
        var rest = Substring(expression)
        while let inner = Self.withoutCast(rest) ?? Self.withoutParentheses(rest) { rest = inner }
        text = String(rest)
        if let content = Self.content(rest) { (text, isQuoted) = (content, true) }
    }

    /// What a cast at the end is of.
    private static func withoutCast(_ text: Substring) -> Substring? {
        guard let cast = text.ranges(of: "::").last else { return nil }
        let type = text[cast.upperBound...]
        var (depth, isQuoted) = (0, false)
        for character in type {
            if character == "\"" { isQuoted.toggle() }
            if isQuoted { continue }
            guard character.isLetter || character.isNumber || "_ \".,()[]".contains(character) else { return nil }
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            if depth < 0 { return nil }
        }
        return depth == 0 && !isQuoted && !type.isEmpty ? text[..<cast.lowerBound] : nil
    }

    /// What stands between two parentheses that belong together.
    private static func withoutParentheses(_ text: Substring) -> Substring? {
        guard text.first == "(", text.last == ")" else { return nil }
        var (depth, isInText) = (0, false)
        for (index, character) in zip(text.indices, text) {
            if character == "'" { isInText.toggle() }
            guard !isInText else { continue }
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            if depth == 0, text.index(after: index) != text.endIndex { return nil }
        }
        return text.dropFirst().dropLast()
    }

    /// The content of one text in quotes, within which a quote is written twice.
    private static func content(_ text: Substring) -> String? {
        guard text.count > 1, text.first == "'", text.last == "'" else { return nil }
        let content = text.dropFirst().dropLast()
        return content.replacing("''", with: "").contains("'") ? nil : String(content).replacing("''", with: "'")
    }
}
