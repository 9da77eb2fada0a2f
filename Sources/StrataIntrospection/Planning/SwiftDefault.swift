/// What a column begins with, in Swift.
enum SwiftDefault {
    /// - Parameter expression: as PostgreSQL prints it: `'new'::text`, `now()`, `0`.
    /// - Returns: `nil` for what Swift cannot say.
    static func value(of expression: String, for type: SwiftType) -> String? {
        let text = stripped(expression)
        switch type.use {
        case .boolean: return ["true", "false"].contains(text) ? text : nil
        case .number: return number(text, type.name)
        case .text: return literal(expression).map(quoted)
        case .moment:
            return [
                "now()", "CURRENT_TIMESTAMP", "transaction_timestamp()", "statement_timestamp()", "clock_timestamp()",
            ]
            .contains(text) ? "Date()" : nil
        case .uuid: return ["gen_random_uuid()", "uuid_generate_v4()"].contains(text) ? "UUID()" : nil
        case .list: return ["{}", "ARRAY[]"].contains(text) ? "[]" : nil
        case .document:
            return switch text {
            case "{}": ".object([:])"
            case "[]": ".array([])"
            default: nil
            }
        case .data: return nil
        }
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

    /// Without casts, parentheses and quotation marks around a constant: `'0'::smallint` → `0`, `(-1)` → `-1`.
    private static func stripped(_ expression: String) -> String {
        if let literal = literal(expression) { return literal }
        var text = Substring(expression)
        if let cast = text.firstRange(of: "::") { text = text[..<cast.lowerBound] }
        while text.hasPrefix("("), text.hasSuffix(")") { text = text.dropFirst().dropLast() }
        return String(text)
    }

    /// The text of a string constant with at most casts behind it; `nil` for any other expression.
    private static func literal(_ expression: String) -> String? {
        var rest = Substring(expression)
        while rest.hasPrefix("("), rest.contains("'") { rest = rest.dropFirst() }
        guard rest.first == "'" else { return nil }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            if character == "'" {
                guard rest.first == "'" else {
                    let isConstant =
                        rest.isEmpty || rest.allSatisfy { $0 != "'" && $0 != "|" && $0 != "," } && rest.first != " "
                    return isConstant ? value : nil
                }
                rest.removeFirst()
            }
            value.append(character)
        }
        return nil
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
