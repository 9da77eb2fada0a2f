import Foundation

/// One value inside a `jsonb` document, as the server wrote it.
///
/// Numbers keep all their digits until the type they are read as is known.
package struct StoredJSON: Sendable {
    package let text: ArraySlice<UInt8>

    package init(text: ArraySlice<UInt8>) {
        self.text = text
    }

    /// The members of an object, which PostgreSQL has checked; empty for anything else.
    package func members() -> [(name: String, value: StoredJSON)] {
        var scanner = Scanner(rest: text)
        guard scanner.skip("{") else { return [] }
        var members: [(String, StoredJSON)] = []
        while let name = scanner.value()?.string, scanner.skip(":"), let value = scanner.value() {
            members.append((name, value))
            guard scanner.skip(",") else { break }
        }
        return members
    }

    /// The elements of an array; `nil` for anything else.
    func elements() -> [StoredJSON]? {
        var scanner = Scanner(rest: text)
        guard scanner.skip("[") else { return nil }
        var elements: [StoredJSON] = []
        while let value = scanner.value() {
            elements.append(value)
            guard scanner.skip(",") else { break }
        }
        return elements
    }

    var isNull: Bool { text.elementsEqual("null".utf8) }

    /// The text of a string; `nil` for anything else.
    package var string: String? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        if !text.contains(UInt8(ascii: "\\")) { return String(decoding: text.dropFirst().dropLast(), as: UTF8.self) }
        return try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) as? String
    }

    /// The text of a number or a word, and of a string without its quotes: "NaN" is written as a string.
    var plainText: String? {
        guard let first = text.first else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        default: return String(decoding: text, as: UTF8.self)
        }
    }

    /// Finds where values begin and end.
    private struct Scanner {
        var rest: ArraySlice<UInt8>

        /// Whether the next character is `character`; passes it.
        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func skipBlanks() {
            while let first = rest.first, first == 32 || first == 10 || first == 9 || first == 13 {
                rest.removeFirst()
            }
        }

        /// Passes one value; `nil` at the end of an array or object.
        mutating func value() -> StoredJSON? {
            skipBlanks()
            let start = rest.startIndex
            var position = start
            var depth = 0
            var isInString = false
            scan: while position < rest.endIndex {
                let byte = rest[position]
                if isInString {
                    if byte == UInt8(ascii: "\\") { position += 1 }
                    if byte == UInt8(ascii: "\"") { isInString = false }
                } else {
                    switch byte {
                    case UInt8(ascii: "\""): isInString = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "}"), UInt8(ascii: "]"):
                        if depth == 0 { break scan }
                        depth -= 1
                    case UInt8(ascii: ","), UInt8(ascii: ":"), 32:
                        if depth == 0 { break scan }
                    default: break
                    }
                }
                position += 1
            }
            position = min(position, rest.endIndex)
            guard position > start else { return nil }
            let value = StoredJSON(text: rest[start..<position])
            rest = rest[position...]
            return value
        }
    }
}
