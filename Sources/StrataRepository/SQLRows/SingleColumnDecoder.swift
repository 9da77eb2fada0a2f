import StrataClient
import StrataModels

/// What a type decodes itself from that is one value of one column.
final class SingleColumnDecoder: Decoder {
    private let column: Int
    private let columns: ResultColumns
    var row: PostgresRow?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// How the column is read, by the type that is asked for first: it is the same for every row.
    private var reader: AnyObject?

    init(_ column: Int, _ columns: ResultColumns) {
        self.column = column
        self.columns = columns
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw manyValues }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw manyValues }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private var manyValues: SwiftDataError {
        columns.misfit(
            column, Any.self, "what it is to be read as has several values. Select jsonb, or a column for each value.")
    }
}

extension SingleColumnDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { row?.isNull(column) ?? true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let row else { throw manyValues }
        if let known = reader as? ColumnReader<Value> { return try known.read(row) }
        guard Value.self is any PostgresCodable.Type else {
            // A wrapper of a wrapper.
            return try Value(from: self)
        }
        let planned = try ColumnReader<Value>.plan(column, of: columns)
        reader = planned
        return try planned.read(row)
    }
}
