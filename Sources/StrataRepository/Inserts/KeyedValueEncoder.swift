/// Takes what a value says of itself, key by key.
protocol KeyedValues: AnyObject {
    /// - Parameter value: an optional where there may be none.
    func take<Value>(_ value: Value, _ key: String) throws
    func takeNothing(_ key: String) throws
    /// The value is no list of keys and values.
    func refuse()
}

/// Hands over the values of an `Encodable` type by their keys, each as what it is: nothing of them is encoded.
struct KeyedValueEncoder: Encoder {
    let values: any KeyedValues
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Container(values: values))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        values.refuse()
        return RefusingContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        values.refuse()
        return RefusingContainer()
    }

    private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let values: any KeyedValues
        var codingPath: [any CodingKey] { [] }

        private func take<Value>(_ value: Value, _ key: Key) throws { try values.take(value, key.stringValue) }

        mutating func encodeNil(forKey key: Key) throws { try values.takeNothing(key.stringValue) }
        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try take(value, key) }
        // `nil` is a value, and not left out.
        mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try take(value, key) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            values.refuse()
            return KeyedEncodingContainer(Container<Nested>(values: RefusedValues()))
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            values.refuse()
            return RefusingContainer()
        }

        mutating func superEncoder() -> any Encoder { KeyedValueEncoder(values: values) }
        mutating func superEncoder(forKey key: Key) -> any Encoder {
            values.refuse()
            return KeyedValueEncoder(values: RefusedValues())
        }

        mutating func encode(_ value: Bool, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: String, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Double, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Float, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Int, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Int8, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Int16, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Int32, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: Int64, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: UInt, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: UInt8, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: UInt16, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: UInt32, forKey key: Key) throws { try take(value, key) }
        mutating func encode(_ value: UInt64, forKey key: Key) throws { try take(value, key) }

        mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try take(value, key) }
        mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try take(value, key) }
    }
}

/// For what was refused already.
private final class RefusedValues: KeyedValues {
    func take<Value>(_ value: Value, _ key: String) {}
    func takeNothing(_ key: String) {}
    func refuse() {}
}

/// For what was refused already: takes everything, and keeps nothing.
private struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    mutating func encodeNil() throws {}
    mutating func encode<T: Encodable>(_ value: T) throws {}
    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        KeyedValueEncoder(values: RefusedValues()).container(keyedBy: keyType)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    mutating func superEncoder() -> any Encoder { KeyedValueEncoder(values: RefusedValues()) }
}
