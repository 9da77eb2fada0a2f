/// Reads a two's complement integer of 2, 4 or 8 bytes, as `smallint`, `integer` and `bigint` are sent.
@inlinable
func readInteger(_ bytes: UnsafeRawBufferPointer, for type: StaticString) throws(PostgresError) -> Int64 {
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: throw .wrongLength("\(type)", expected: "2, 4 or 8", got: bytes.count)
    }
}

/// `smallint`, `integer` or `bigint`.
@inlinable
func isInteger(_ type: UInt32) -> Bool {
    type == PostgresType.int8.oid || type == PostgresType.int4.oid || type == PostgresType.int2.oid
}

extension Int: PostgresCodable {
    /// `bigint`.
    @inlinable public static var postgresType: PostgresType { .int8 }
    /// Any of the three integer types.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Eight bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(Int64(self))
    }
    /// Reads 2, 4 or 8 bytes.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        self.init(try readInteger(postgresBytes, for: "Int"))
    }
}

extension Int64: PostgresCodable {
    /// `bigint`.
    @inlinable public static var postgresType: PostgresType { .int8 }
    /// Any of the three integer types.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Eight bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(self)
    }
    /// Reads 2, 4 or 8 bytes.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        self = try readInteger(postgresBytes, for: "Int64")
    }
}

extension Int32: PostgresCodable {
    /// `integer`.
    @inlinable public static var postgresType: PostgresType { .int4 }
    /// Any of the three integer types; the range is checked.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Four bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(self)
    }
    /// Reads 2, 4 or 8 bytes and checks the range.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let value = Int32(exactly: try readInteger(postgresBytes, for: "Int32")) else {
            throw .outOfRange(decoding: "Int32")
        }
        self = value
    }
}

extension Int16: PostgresCodable {
    /// `smallint`.
    @inlinable public static var postgresType: PostgresType { .int2 }
    /// Any of the three integer types; the range is checked.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Two bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(self)
    }
    /// Reads 2, 4 or 8 bytes and checks the range.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let value = Int16(exactly: try readInteger(postgresBytes, for: "Int16")) else {
            throw .outOfRange(decoding: "Int16")
        }
        self = value
    }
}

extension Int8: PostgresCodable {
    /// `smallint`: the server has no smaller integer.
    @inlinable public static var postgresType: PostgresType { .int2 }
    /// Any of the three integer types; the range is checked.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Two bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(Int16(self))
    }
    /// Reads 2, 4 or 8 bytes and checks the range.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let value = Int8(exactly: try readInteger(postgresBytes, for: "Int8")) else {
            throw .outOfRange(decoding: "Int8")
        }
        self = value
    }
}

extension UInt8: PostgresCodable {
    /// `smallint`.
    @inlinable public static var postgresType: PostgresType { .int2 }
    /// Any of the three integer types; the range is checked.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Two bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(Int16(self))
    }
    /// Reads 2, 4 or 8 bytes and checks the range.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let value = UInt8(exactly: try readInteger(postgresBytes, for: "UInt8")) else {
            throw .outOfRange(decoding: "UInt8")
        }
        self = value
    }
}

extension UInt16: PostgresCodable {
    /// `integer`, the smallest type that holds every value.
    @inlinable public static var postgresType: PostgresType { .int4 }
    /// Any of the three integer types; the range is checked.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { isInteger(type) }
    /// Four bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(Int32(self))
    }
    /// Reads 2, 4 or 8 bytes and checks the range.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let value = UInt16(exactly: try readInteger(postgresBytes, for: "UInt16")) else {
            throw .outOfRange(decoding: "UInt16")
        }
        self = value
    }
}

extension UInt32: PostgresCodable {
    /// `bigint`, the smallest type that holds every value.
    @inlinable public static var postgresType: PostgresType { .int8 }
    /// Any of the three integer types, and `oid`; the range is checked.
    @inlinable
    public static func canDecode(_ type: UInt32) -> Bool {
        // An oid above Int32.max would be read as a negative integer, so it is refused by the range check, never misread.
        isInteger(type) || type == PostgresType.oid.oid
    }
    /// Eight bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(Int64(self))
    }
    /// Reads 2, 4 or 8 bytes and checks the range.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let value = UInt32(exactly: try readInteger(postgresBytes, for: "UInt32")) else {
            throw .outOfRange(decoding: "UInt32")
        }
        self = value
    }
}

extension UInt: PostgresCodable {
    /// `numeric`, declared as `numeric(20)`: no integer type holds every value.
    @inlinable public static var postgresType: PostgresType { .numeric }
    /// The decimal digits.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        try UInt64(self).encode(into: &buffer)
    }
    /// Reads a `numeric` and checks that it is a whole number in range.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        self.init(try UInt64(postgresBytes: postgresBytes))
    }
}
