package import Foundation

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
    package mutating func next() throws(PostgresError) -> UnsafeRawBufferPointer? {
        _ = try reader.readInt32()
        return try reader.readCounted()
    }

    // Not one generic form: its types would be looked up with every field.

    /// The next field as an integer of any size, also one without a sign.
    package mutating func int64() throws(PostgresError) -> Int64 { try Int64(postgresBytes: value()) }

    /// The next field as a `boolean`.
    package mutating func bool() throws(PostgresError) -> Bool { try Bool(postgresBytes: value()) }

    /// The next field as a `timestamptz`.
    package mutating func date() throws(PostgresError) -> Date { try Date(postgresBytes: value()) }

    /// The next field as text.
    package mutating func string() throws(PostgresError) -> String { try String(postgresBytes: value()) }

    /// The next field as text, or nil when it is NULL.
    package mutating func stringIfPresent() throws(PostgresError) -> String? {
        guard let bytes = try next() else { return nil }
        return try String(postgresBytes: bytes)
    }

    /// The next field's bytes.
    package mutating func value() throws(PostgresError) -> UnsafeRawBufferPointer {
        guard let bytes = try next() else {
            throw PostgresError(.decoding, "A field of a record is NULL, but its value is not optional.")
        }
        return bytes
    }
}
