import Foundation

/// A value for a getter that could not load and whose type has no neutral value, such as an enum: the first case, or what the
/// type makes of zeros and empty texts. The context has noted the failure, and the next save throws it.
package enum StandInValue {
    /// `nil` when no value of the type can be made up. A type that refuses the empty text may take another one.
    static func make<Value>(_ type: Value.Type) -> Value? { make(type, text: "") ?? make(type, text: "a") }

    fileprivate static func make<Value>(_ type: Value.Type, text: String) -> Value? {
        if type == String.self { return text as? Value }
        if let neutral = (type as? any NeutralValue.Type)?.neutral as? Value { return neutral }
        if type == URL.self { return URL(fileURLWithPath: "/") as? Value }
        if let listed = type as? any CaseIterable.Type, let first = firstCase(listed) as? Value { return first }
        guard let decodable = type as? any Decodable.Type else {
            return rawCase(type)
        }
        if let value = try? decodable.init(from: NeutralDecoder(text: text)) as? Value { return value }
        return zeros(type)
    }

    /// The first case of an enumeration of raw values whose cases cannot be listed: it is one byte, which is 0 for that case. So is a value of any
    /// other type of one byte.
    package static func rawCase<Value>(_ type: Value.Type) -> Value? {
        type is any RawRepresentable.Type && MemoryLayout<Value>.size == 1 ? zeros(type) : nil
    }

    private static func firstCase<Listed: CaseIterable>(_ type: Listed.Type) -> Any? { type.allCases.first }

    /// A value of plain bits (an enum without payload, say) that are all zero: the first case.
    ///
    /// `Decodable` types hold no pointers of their own, so zeros are a value of them.
    static func zeros<Value>(_ type: Value.Type) -> Value? {
        guard _isPOD(type), MemoryLayout<Value>.size > 0 else { return nil }
        return withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
        ) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return bytes.load(as: Value.self)
        }
    }
}

/// Decodes nothing into the emptiest value: no elements, no text, zero, `nil`.
private struct NeutralDecoder: Decoder, SingleValueDecodingContainer {
    /// What each text is.
    let text: String
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(NeutralFields<Key>(text: text))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { NoElements(text: text) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = StandInValue.make(type, text: text) else { throw NoNeutralValue() }
        return value
    }
}

private struct NoNeutralValue: Error {}

private struct NeutralFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let text: String
    var codingPath: [any CodingKey] { [] }
    /// An enum with payloads asks for the one case that there is: the first. A dictionary's keys are texts, so it has none.
    var allKeys: [Key] { StandInValue.zeros(Key.self).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try NeutralDecoder(text: text).decode(type)
    }
    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(NeutralFields<Nested>(text: text))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { NoElements(text: text) }
    func superDecoder() -> any Decoder { NeutralDecoder(text: text) }
    func superDecoder(forKey key: Key) -> any Decoder { NeutralDecoder(text: text) }
}

private struct NoElements: UnkeyedDecodingContainer {
    let text: String
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    mutating func decodeNil() -> Bool { true }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try NeutralDecoder(text: text).decode(type)
    }
    mutating func nestedContainer<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(NeutralFields<Key>(text: text))
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { NoElements(text: text) }
    mutating func superDecoder() -> any Decoder { NeutralDecoder(text: text) }
}
