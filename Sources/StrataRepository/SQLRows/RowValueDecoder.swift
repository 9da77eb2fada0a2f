import Foundation
import StrataClient
import StrataModels

/// What a `Decodable` type decodes itself from: a row of a result, then the next.
///
/// A type asks for its values in the same order for every row. So the questions of the first row are a plan: which column answers
/// each, and how. Later rows follow it, and only compare what is asked with what was asked; where a type asks otherwise (because
/// of what it has read), the column is looked up.
final class RowValueDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate let columns: ResultColumns
    private let type: Any.Type
    @exclusivity(unchecked) fileprivate var row: PostgresRow?
    @exclusivity(unchecked) private var questions: [Question] = []
    /// The next of them.
    @exclusivity(unchecked) private var place = 0

    private struct Question {
        let key: String
        let type: ObjectIdentifier
        let column: Int
        /// Whether the value is read from its bytes alone.
        let isPlain: Bool
        /// A `ColumnReader` of that type.
        let reader: AnyObject
    }

    init(_ type: Any.Type, _ columns: ResultColumns) {
        self.type = type
        self.columns = columns
    }

    /// Runs `body` with a row, which ends with the call: a type that keeps its container reads nothing from it afterwards.
    func withRow<Value>(_ row: PostgresRow, _ body: () throws -> Value) throws -> Value {
        self.row = row
        place = 0
        defer { self.row = nil }
        do { return try body() } catch is DecodingError {
            throw columns.misfit(type)
        }
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedColumns(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { OrderedColumns(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try columns.requireCount(1, for: type)
        let decoder = SingleColumnDecoder(0, columns)
        decoder.row = row
        return decoder
    }

    fileprivate func value<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
        guard let row else { throw columns.missing(key, of: self.type) }
        if place < questions.count, questions[place].type == ObjectIdentifier(type), questions[place].key == key {
            let reader = questions[place].reader
            place += 1
            return try unsafeDowncast(reader, to: ColumnReader<Value>.self).read(row)
        }
        let column = try column(key)
        let reader = try ColumnReader<Value>.plan(column, of: columns)
        if place == questions.count {
            questions.append(
                Question(
                    key: key, type: ObjectIdentifier(type), column: column,
                    isPlain: !columns.needsTextCheck(column, as: type), reader: reader))
            place += 1
        }
        return try reader.read(row)
    }

    /// As ``value(_:_:)``, by code of the type's own: for types that most columns have.
    @inline(__always)
    fileprivate func scalar<Scalar: PostgresCodable & Decodable>(_ type: Scalar.Type, _ key: String) throws -> Scalar {
        guard let row, place < questions.count, questions[place].type == ObjectIdentifier(type),
            questions[place].isPlain, questions[place].key == key
        else { return try value(type, key) }
        let column = questions[place].column
        guard let bytes = row.bytes(column) else { throw columns.unexpectedNull(column, type) }
        place += 1
        do throws(PostgresError) { return try Scalar(postgresBytes: bytes) } catch {
            throw columns.misfit(column, type, error.message, underlying: error)
        }
    }

    fileprivate func column(_ key: String) throws -> Int { try columns.position(of: key, in: type) }

    fileprivate func nested(_ key: String) -> SwiftDataError {
        SwiftDataError(
            .invalidValue,
            "\(type) decodes \(key) by hand from a container within the row, which has columns only. Give it a Decodable type of "
                + "its own and select jsonb.")
    }
}

/// The columns by their names. A column that a type asks for has to be there, also where the property is optional: a name
/// that was written otherwise would read as `nil`.
private struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowValueDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.columns.names.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { decoder.columns.contains(key.stringValue) }
    func decodeNil(forKey key: Key) throws -> Bool {
        let column = try decoder.column(key.stringValue)
        return decoder.row?.isNull(column) ?? true
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder.scalar(type, key.stringValue) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.scalar(type, key.stringValue) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder.scalar(type, key.stringValue) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder.scalar(type, key.stringValue) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if type == Date.self { return unsafeBitCast(try decoder.scalar(Date.self, key.stringValue), to: type) }
        if type == UUID.self { return unsafeBitCast(try decoder.scalar(UUID.self, key.stringValue), to: type) }
        return try decoder.value(type, key.stringValue)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try decoder.value(Value?.self, key.stringValue)
    }
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
        try decoder.value(Value?.self, key.stringValue)
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

/// The columns in their order.
private struct OrderedColumns: UnkeyedDecodingContainer {
    let decoder: RowValueDecoder
    private(set) var currentIndex = 0

    init(decoder: RowValueDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { decoder.columns.count }
    var isAtEnd: Bool { currentIndex >= decoder.columns.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, decoder.row?.isNull(currentIndex) == true else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd, let row = decoder.row else { throw decoder.nested("column \(currentIndex)") }
        defer { currentIndex += 1 }
        return try ColumnReader<Value>.plan(currentIndex, of: decoder.columns).read(row)
    }
    mutating func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey> {
        throw decoder.nested("column \(currentIndex)")
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw decoder.nested("column \(currentIndex)")
    }
    mutating func superDecoder() throws -> any Decoder { decoder }
}
