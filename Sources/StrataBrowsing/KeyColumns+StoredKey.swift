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
        let texts = keys.compactMap(written).sorted()
        let array: SQLFragment =
            switch kind {
            case .integer: "\(bind: texts.compactMap { Int64($0) })"
            case .uuid: "\(bind: texts.compactMap { UUID(uuidString: $0) })"
            case .text, .date: "\(bind: texts)"
            }
        return isAmong(array, of: row)
    }

    /// The key as a parameter; `nil` for a text that no key of these columns is.
    func bound(_ key: StoredKey) -> SQLFragment? {
        guard isSingle else { return written(key).map { "\(bind: $0)::text" } }
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

    /// The key as the history has it: a UUID in small letters, the JSON array of several columns with the blanks and escapes that the server writes,
    /// whatever it was typed with. A text that no key of these columns is stays as it is: nothing has it.
    func recorded(_ key: StoredKey) -> SQLFragment {
        guard let text = written(key) else { return "\(bind: key.text)" }
        return isSingle ? "\(bind: text)" : "\(bind: text)::jsonb::text"
    }

    /// The key with each value as the server writes it; `nil` for a text that no key of these columns is, for which the server would fail a statement.
    private func written(_ key: StoredKey) -> String? {
        guard isSingle else {
            guard let values = try? JSONDecoder().decode([KeyPart].self, from: Data(key.text.utf8)),
                values.count == self.parts.count
            else { return nil }
            let parts = zip(self.parts, values).compactMap { $1.written($0) }
            guard parts.count == values.count, let document = try? JSONEncoder().encode(parts) else { return nil }
            return String(decoding: document, as: UTF8.self)
        }
        return switch kind {
        case .integer: Int64(key.text).map { "\($0)" }
        case .uuid: UUID(uuidString: key.text)?.uuidString.lowercased()
        case .text, .date: key.text
        }
    }
}

/// A value of a column in a key of several.
private enum KeyPart: Codable {
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

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }

    /// As the server writes it; `nil` for what is no value of the column.
    func written(_ part: KeyColumns.Part) -> KeyPart? {
        switch (part.kind, part.columnType, self) {
        case (.integer, _, .number): self
        case (.text, "date", .text(let text)): CalendarDate(text).map { .text($0.description) }
        case (.text, "bytea", .text(let text)): Self.isHexadecimal(text) ? self : nil
        // What fills it up to the column's length is no part of the text.
        case (.text, "bpchar", .text(let text)):
            text.utf8.contains(0) ? nil : .text(String(text.reversed().drop { $0 == " " }.reversed()))
        case (.text, _, .text(let text)): text.utf8.contains(0) ? nil : self
        case (.uuid, _, .text(let text)): UUID(uuidString: text).map { .text($0.uuidString.lowercased()) }
        case (.date, _, .text(let text)): PostgresTimestamp(text).map { .text($0.description) }
        default: nil
        }
    }

    /// Whether it is what the server writes of bytes: `\x00ff`.
    private static func isHexadecimal(_ text: String) -> Bool {
        let digits = text.dropFirst(2)
        return text.hasPrefix("\\x") && digits.utf8.count.isMultiple(of: 2)
            && digits.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
