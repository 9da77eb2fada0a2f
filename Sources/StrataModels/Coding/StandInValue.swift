import Foundation

/// A value for a getter that could not load and whose type has no neutral value, such as an enum: the first case, or what the
/// type makes of zeros and empty texts. The context has noted the failure, and the next save throws it.
enum StandInValue {
    /// `nil` when no value of the type can be made up.
    static func make<Value>(_ type: Value.Type) -> Value? {
        if let neutral = (type as? any NeutralValue.Type)?.neutral as? Value { return neutral }
        if type == URL.self { return URL(fileURLWithPath: "/") as? Value }
        if let listed = type as? any CaseIterable.Type, let first = firstCase(listed) as? Value { return first }
        guard let decodable = type as? any Decodable.Type else { return nil }
        if let value = try? decodable.init(from: NeutralDecoder()) as? Value { return value }
        return zeros(type)
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
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(NeutralFields<Key>())
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { NoElements() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = StandInValue.make(type) else { throw NoNeutralValue() }
        return value
    }
}

private struct NoNeutralValue: Error {}

private struct NeutralFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    /// An enum with payloads asks for the one case that there is: the first. A dictionary's keys are texts, so it has none.
    var allKeys: [Key] { StandInValue.zeros(Key.self).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try NeutralDecoder().decode(type)
    }
    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(NeutralFields<Nested>())
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { NoElements() }
    func superDecoder() -> any Decoder { NeutralDecoder() }
    func superDecoder(forKey key: Key) -> any Decoder { NeutralDecoder() }
}

private struct NoElements: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    mutating func decodeNil() -> Bool { true }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try NeutralDecoder().decode(type) }
    mutating func nestedContainer<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(NeutralFields<Key>())
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { NoElements() }
    mutating func superDecoder() -> any Decoder { NeutralDecoder() }
}
