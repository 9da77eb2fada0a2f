/// Texts of any shape in line comments, readable where they can be.
///
/// A text is written behind a key, its further lines behind bars:
/// ```
/// -- note: drops trip.notes,
/// --  | which nobody reads
/// ```
/// A carriage return would end the comment; a text with one is written in one line with escapes: `-- note (escaped): …`.
package enum CommentText {
    package static let continuation = "--  |"

    package static func lines(_ key: String, _ text: String) -> [String] {
        guard isPlain(text) else { return ["-- \(key) (escaped): " + escaped(text)] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            let start = index == 0 ? "-- \(key):" : continuation
            return line.isEmpty ? start : start + " " + line
        }
    }

    /// Whether no line of the text needs escapes.
    package static func isPlain(_ text: String) -> Bool {
        if text.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\0" }) { return false }
        // A mark at the beginning of a line would melt with the space before it.
        return text.split(separator: "\n").allSatisfy { !($0.unicodeScalars.first.map(joins) ?? false) }
    }

    /// Whether it becomes one character with what stands before it.
    static func joins(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.value == 0x200D
            || scalar.properties.generalCategory == .spacingMark
    }

    /// What stands behind a key or a bar: without the one space that sets it apart.
    package static func content(_ text: Substring) -> Substring { text.first == " " ? text.dropFirst() : text }

    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20 || joins(scalar):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `nil` for an escape that ``escaped(_:)`` does not write.
    package static func unescaped(_ text: some StringProtocol) -> String? {
        var result = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch scalars.next() {
            case "\\": result.append("\\")
            case "\"": result.append("\"")
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "u":
                guard scalars.next() == "{" else { return nil }
                var digits = ""
                while let digit = scalars.next(), digit != "}" { digits.unicodeScalars.append(digit) }
                guard let value = UInt32(digits, radix: 16), let unescaped = Unicode.Scalar(value) else { return nil }
                result.append(unescaped)
            default: return nil
            }
        }
        return String(result)
    }
}
