public import Foundation

/// The key of an object, as the database writes it: `4711`, `0190163d-8694-739b-aea5-966c26f8ad91`, `ALFKI`. A key of several columns is the JSON
/// array of their values, `[10248, "Chai"]`.
///
/// What a text is the key of, the class says whose objects are looked for: no object has a key that its column cannot hold.
public struct StoredKey: Hashable, Sendable {
    let text: String

    /// A number.
    public init(_ number: Int64) { text = String(number) }

    /// A UUID.
    public init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }
}

extension StoredKey: LosslessStringConvertible {
    /// Any text but one with the character 0, which no value of the server has.
    public init?(_ description: String) {
        guard !description.utf8.contains(0) else { return nil }
        text = description
    }

    /// The key as the database writes it.
    public var description: String { text }
}

extension StoredKey: ExpressibleByIntegerLiteral {
    /// A number.
    public init(integerLiteral number: Int64) { self.init(number) }
}

extension StoredKey {
    /// Bytes are compared, as the server does: what Swift takes for the same text may be two keys.
    public static func == (one: StoredKey, other: StoredKey) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// By the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension StoredKey: Comparable {
    /// Numbers by their values, and other keys by their bytes.
    public static func < (one: StoredKey, other: StoredKey) -> Bool {
        if let number = Int64(one.text), let another = Int64(other.text) { return number < another }
        return one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
