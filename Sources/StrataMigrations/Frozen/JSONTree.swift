import Foundation
import StrataModels

/// A JSON document whose text is the same on every platform and for ever: keys sorted, two spaces an indent, lists of
/// plain values on one line. `JSONEncoder`'s own layout differs between versions of Foundation.
enum JSONTree: Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree: EncodedTree {
    static func leaf(_ value: some Encodable) throws -> JSONTree? {
        switch value {
        case let text as String: return .text(text)
        case let bool as Bool: return .bool(bool)
        case let number as any FixedWidthInteger:
            guard let integer = Int64(exactly: number) else { throw unsayable(value) }
            return .integer(integer)
        case is any FloatingPoint: throw unsayable(value)
        default: return nil
        }
    }

    private static func unsayable(_ value: some Encodable) -> EncodingError {
        EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "a tree holds no such number"))
    }
}

extension JSONTree: Decodable {
    /// What is most frequent is tried first: each try in vain makes an error, which costs more than all the rest.
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let object = try? decoder.container(keyedBy: Key.self) {
            var fields: [String: JSONTree] = [:]
            for key in object.allKeys { fields[key.stringValue] = try object.decode(JSONTree.self, forKey: key) }
            self = .object(fields)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONTree] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONTree.self)) }
            self = .list(elements)
        } else {
            self = .integer(try value.decode(Int64.self))
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONTree {
    /// The tree of a frozen value. Those hold texts, integers and booleans only, which JSON can always say; should one
    /// ever hold more, the tree is a text that says so, which equals no schema and cannot be read as one.
    init(_ value: some Encodable) {
        do {
            self = try TreeEncoder<JSONTree>.tree(of: value)
        } catch {
            self = .text("\(type(of: value)) cannot be written as JSON: \(error)")
        }
    }

    var fields: [String: JSONTree] { if case .object(let fields) = self { fields } else { [:] } }

    private var isPlain: Bool {
        switch self {
        case .list, .object: false
        default: true
        }
    }

    /// On one line, without any space.
    var compact: String {
        switch self {
        case .list(let elements): "[" + elements.map(\.compact).joined(separator: ",") + "]"
        case .object(let fields):
            "{" + Self.sorted(fields).map { "\(Self.quoted($0)):\($1.compact)" }.joined(separator: ",") + "}"
        default: plainText
        }
    }

    /// For people: a text without its quotes, everything else on one line.
    var readable: String {
        switch self {
        case .text(let text): text
        case .list(let elements): "[" + elements.map(\.readable).joined(separator: ", ") + "]"
        case .object(let fields):
            "(" + Self.sorted(fields).map { "\($0): \($1.readable)" }.joined(separator: ", ") + ")"
        default: plainText
        }
    }

    /// On many lines, for files; ends without a line break.
    func pretty(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .list(let elements) where elements.allSatisfy(\.isPlain):
            return "[" + elements.map(\.plainText).joined(separator: ", ") + "]"
        case .list(let elements):
            return "[\n" + elements.map { inner + $0.pretty(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let fields) where fields.isEmpty:
            return "{}"
        case .object(let fields):
            let lines = Self.sorted(fields).map { "\(inner)\(Self.quoted($0)): \($1.pretty(indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        default:
            return plainText
        }
    }

    private var plainText: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .text(let value): Self.quoted(value)
        case .null, .list, .object: "null"
        }
    }

    private static func sorted(_ fields: [String: JSONTree]) -> [(key: String, value: JSONTree)] {
        fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20:
                let code = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The first place where the two differ, as a path: `entities[2].attributes[0].colour`; `nil` when they are equal.
    func firstDifference(from other: JSONTree, at path: String = "") -> String? {
        guard self != other else { return nil }
        switch (self, other) {
        case (.object(let own), .object(let others)):
            for key in Set(own.keys).union(others.keys).sorted() where own[key] != others[key] {
                let place = path.isEmpty ? key : "\(path).\(key)"
                guard let mine = own[key], let theirs = others[key] else { return place }
                return mine.firstDifference(from: theirs, at: place)
            }
        case (.list(let own), .list(let others)) where own.count == others.count:
            for (index, pair) in zip(own, others).enumerated() where pair.0 != pair.1 {
                return pair.0.firstDifference(from: pair.1, at: "\(path)[\(index)]")
            }
        default: break
        }
        return path
    }
}
