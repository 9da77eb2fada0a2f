import Foundation
import StrataClient
import StrataRepository

/// What a key that came as text is to the columns of a class. No text is kept: whoever browses may ask for any.
extension KeyColumns {
    /// Whether a row's key is this one; `FALSE` for a text that no key of these columns is.
    func isKey(_ key: StoredKey, of row: SQLFragment) -> SQLFragment {
        bound(key).map { isEqual(to: $0, of: row) } ?? "FALSE"
    }

    /// Whether a row's key is one of these.
    func isAmong(_ keys: some Collection<StoredKey>, of row: SQLFragment) -> SQLFragment {
        let texts = keys.map(\.text).sorted()
        let array: SQLFragment =
            switch kind {
            case .integer: "\(bind: texts.compactMap { Int64($0) })"
            case .uuid: "\(bind: texts.compactMap { UUID(uuidString: $0) })"
            case .text, .date: "\(bind: isSingle ? texts : texts.filter(isWhole))"
            }
        return isAmong(array, of: row)
    }

    /// The key as a parameter; `nil` for a text that no key of these columns is.
    func bound(_ key: StoredKey) -> SQLFragment? {
        guard isSingle else { return isWhole(key.text) ? "\(bind: key.text)::text" : nil }
        switch kind {
        case .integer: return Int64(key.text).map { "\(bind: $0)" }
        case .uuid: return UUID(uuidString: key.text).map { "\(bind: $0)" }
        case .text, .date: return "\(bind: key.text)"
        }
    }

    /// Each column with its part of a key.
    func parts(of key: StoredKey) -> [(column: String, value: SQLFragment)] {
        guard let value = bound(key) else { return [] }
        if isSingle { return [(first, value)] }
        return names.enumerated().map { place, name in (name, part(place, of: value)) }
    }

    /// The key as the history has it: a UUID in small letters.
    func recorded(_ key: StoredKey) -> String { kind == .uuid ? key.text.lowercased() : key.text }

    /// Whether it is the JSON array of a part for each column. The server would fail the statement for another one.
    private func isWhole(_ text: String) -> Bool {
        guard let values = try? JSONDecoder().decode([KeyPart].self, from: Data(text.utf8)), values.count == kinds.count
        else { return false }
        return zip(kinds, values).allSatisfy { kind, value in
            switch (kind, value) {
            case (.integer, .number): true
            case (.text, .text(let text)): !text.utf8.contains(0)
            case (.uuid, .text(let text)): UUID(uuidString: text) != nil
            case (.date, .text(let text)): PostgresTimestamp(text) != nil
            default: false
            }
        }
    }
}

/// A value of a column in a key of several.
private enum KeyPart: Decodable {
    case number(Int64)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}
