package import CLibPQ

/// One row of a result. Valid only inside the row closure; it copies nothing until a value is asked for.
package struct PostgresRow {
    @usableFromInline let result: OpaquePointer
    @usableFromInline let row: Int32

    @inlinable
    init(result: OpaquePointer, row: Int32) {
        self.result = result
        self.row = row
    }

    @inlinable package var columnCount: Int { Int(PQnfields(result)) }

    /// The bytes of all its values together.
    var byteCount: Int {
        var count = 0
        for column in 0..<PQnfields(result) { count &+= Int(PQgetlength(result, row, column)) }
        return count
    }

    /// The value's bytes, or nil when it is NULL or there is no such column.
    @inlinable
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        let index = Int32(truncatingIfNeeded: column)
        guard let value = PQgetvalue(result, row, index) else { return nil }
        let count = Int(PQgetlength(result, row, index))
        // NULL has no length either.
        if count == 0, isNull(column) { return nil }
        return UnsafeRawBufferPointer(start: value, count: count)
    }

    @inlinable
    package func isNull(_ column: Int) -> Bool {
        PQgetisnull(result, row, Int32(truncatingIfNeeded: column)) != 0
    }

    @inlinable
    package func columnType(_ column: Int) -> Oid {
        PQftype(result, Int32(truncatingIfNeeded: column))
    }

    package func columnName(_ column: Int) -> String {
        PQfname(result, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }

    /// Decodes a value that must not be NULL. Throws `.decoding`, naming the column.
    @inlinable
    package func decode<Value: PostgresCodable>(_ column: Int, as type: Value.Type = Value.self) throws(PostgresError)
        -> Value
    {
        guard let value = try decodeIfPresent(column, as: type) else { throw unexpectedNull(column, Value.self) }
        return value
    }

    /// Decodes a value, or nil when it is NULL. Throws `.decoding`, naming the column.
    @inlinable
    package func decodeIfPresent<Value: PostgresCodable>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        guard column >= 0, column < columnCount else { throw noSuchColumn(column) }
        guard Value.canDecode(columnType(column)) else { throw wrongType(column, Value.self) }
        guard let bytes = bytes(column) else { return nil }
        do {
            return try Value(postgresBytes: bytes)
        } catch {
            throw located(error, column)
        }
    }

    @usableFromInline
    func noSuchColumn(_ column: Int) -> PostgresError {
        PostgresError(.decoding, "There is no column \(column); the result has \(columnCount).")
    }

    @usableFromInline
    func wrongType(_ column: Int, _ type: any PostgresCodable.Type) -> PostgresError {
        let stored = PostgresType.named(columnType(column))
        return PostgresError(.decoding, "Column \"\(columnName(column))\" is \(stored), which is not read as \(type).")
    }

    @usableFromInline
    func unexpectedNull(_ column: Int, _ type: any PostgresCodable.Type) -> PostgresError {
        PostgresError(.decoding, "Column \"\(columnName(column))\" is NULL, but \(type) is not optional.")
    }

    @usableFromInline
    func located(_ error: PostgresError, _ column: Int) -> PostgresError {
        PostgresError(error.code, "Column \"\(columnName(column))\": \(error.message)", underlying: error)
    }
}

/// Readers for the hot path. They check nothing: the caller has compared the column types once per result and asked
/// ``PostgresRow/isNull(_:)`` where the column may be NULL. A NULL reads as zero or "".
extension PostgresRow {
    @inlinable
    func load<Value: FixedWidthInteger>(_ column: Int, as type: Value.Type) -> Value {
        guard let value = PQgetvalue(result, row, Int32(truncatingIfNeeded: column)),
            PQgetlength(result, row, Int32(truncatingIfNeeded: column)) == MemoryLayout<Value>.size
        else { return 0 }
        return Value(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Value.self))
    }

    /// A `bigint`; a key of another program's table may be an `integer` or a `smallint`.
    @inlinable
    package func int64(_ column: Int) -> Int64 {
        switch PQgetlength(result, row, Int32(truncatingIfNeeded: column)) {
        case 4: Int64(load(column, as: Int32.self))
        case 2: Int64(load(column, as: Int16.self))
        default: load(column, as: Int64.self)
        }
    }
    @inlinable package func int32(_ column: Int) -> Int32 { load(column, as: Int32.self) }
    @inlinable package func int16(_ column: Int) -> Int16 { load(column, as: Int16.self) }
    @inlinable package func bool(_ column: Int) -> Bool { load(column, as: UInt8.self) != 0 }
    @inlinable package func double(_ column: Int) -> Double { Double(bitPattern: load(column, as: UInt64.self)) }
    @inlinable package func float(_ column: Int) -> Float { Float(bitPattern: load(column, as: UInt32.self)) }

    /// Microseconds since 2000-01-01 of a `timestamptz`; see `Date.init(postgresMicroseconds:)`.
    @inlinable package func timestamp(_ column: Int) -> Int64 { load(column, as: Int64.self) }

    @inlinable
    package func string(_ column: Int) -> String {
        let index = Int32(truncatingIfNeeded: column)
        guard let value = PQgetvalue(result, row, index) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, index)))
        return String(decoding: bytes, as: UTF8.self)
    }
}
