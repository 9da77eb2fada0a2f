import Foundation
import StrataClient
import StrataModels

/// The columns by their names. A column that a type asks for has to be there, also where the property is optional: a name
/// that was written otherwise would read as `nil`.
///
/// A class, because the standard library copies the container for each value.
final class KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: RowValueDecoder
    /// Of the type of keys, among those that the decoder was asked with.
    private let number: UInt64
    /// Whether keys with the same bits are the same: the cases of an enumeration, as the compiler makes them.
    private let hasPlainKeys: Bool

    init(decoder: RowValueDecoder, number: Int) {
        self.decoder = decoder
        self.number = UInt64(number) << 32
        hasPlainKeys = _isPOD(Key.self) && MemoryLayout<Key>.size <= 4
    }

    /// The key's bits, and a number for the type of keys: equal for equal keys, so that no name is made and compared for each value. `nil` for
    /// keys that hold a reference, or more than four bytes.
    @inline(__always)
    private func code(of key: Key) -> UInt64? {
        guard hasPlainKeys else { return nil }
        if MemoryLayout<Key>.size == 1 { return number | UInt64(unsafeBitCast(key, to: UInt8.self)) }
        return withUnsafeBytes(of: key) { bytes in
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | number
        }
    }

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.columns.names.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { decoder.columns.contains(key.stringValue) }
    func decodeNil(forKey key: Key) throws -> Bool {
        let column = try decoder.column(key.stringValue)
        return decoder.row?.isNull(column) ?? true
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.scalar(.string, type, key, code(of: key))
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.scalar(.int, type, key, code(of: key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.scalar(.double, type, key, code(of: key))
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder.scalar(.bool, type, key, code(of: key))
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if decoder.isNext(.date, type) {
            return unsafeBitCast(try decoder.scalar(.date, Date.self, key, code(of: key)), to: type)
        }
        if decoder.isNext(.uuid, type) {
            return unsafeBitCast(try decoder.scalar(.uuid, UUID.self, key, code(of: key)), to: type)
        }
        return try decoder.value(type, key, code(of: key))
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? { try value(key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try value(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try value(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try value(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try value(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try value(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try value(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try value(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try value(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try value(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try value(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try value(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try value(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try value(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try value(key) }

    private func value<Value: Decodable>(_ key: Key) throws -> Value? {
        try decoder.value(Value?.self, key, code(of: key))
    }

    func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<NestedKey>
    { throw decoder.nested(key.stringValue) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw decoder.nested(key.stringValue)
    }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.nested(key.stringValue) }
}
