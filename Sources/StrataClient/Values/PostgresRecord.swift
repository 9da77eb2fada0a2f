/// The fields of a `record`, what `ROW(…)` makes, in their order. Valid only inside the row closure.
///
/// A value of its own for what few rows of a result have: each column costs every row, whether it is NULL or not.
/// The fields' types are not checked: whoever wrote the statement knows them.
package struct PostgresRecord {
    private var reader: PostgresReader
    /// How many fields there are.
    package let count: Int

    package init(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
        reader = PostgresReader(bytes)
        count = Int(try reader.readInt32())
    }

    /// The next field's bytes, or nil when it is NULL.
    @usableFromInline
    package mutating func next() throws(PostgresError) -> UnsafeRawBufferPointer? {
        _ = try reader.readInt32()
        return try reader.readCounted()
    }

    /// The next field, which must not be NULL.
    @inlinable
    package mutating func decode<Value: PostgresCodable>(_ type: Value.Type = Value.self) throws(PostgresError)
        -> Value
    {
        guard let value = try decodeIfPresent(type) else {
            throw PostgresError(.decoding, "A field of a record is NULL, but \(type) is not optional.")
        }
        return value
    }

    /// The next field, or nil when it is NULL.
    @inlinable
    package mutating func decodeIfPresent<Value: PostgresCodable>(
        _ type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        guard let bytes = try next() else { return nil }
        return try Value(postgresBytes: bytes)
    }
}
