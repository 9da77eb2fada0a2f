extension Bool: PostgresCodable {
    /// `boolean`.
    @inlinable public static var postgresType: PostgresType { .bool }
    /// One byte.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendByte(self ? 1 : 0)
    }
    /// Reads one byte.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 1 else {
            throw .wrongLength("Bool", expected: "1", got: postgresBytes.count)
        }
        self = postgresBytes[0] != 0
    }
}

extension Double: PostgresCodable {
    /// `double precision`. NaN and the infinities are stored as they are.
    @inlinable public static var postgresType: PostgresType { .float8 }
    /// `double precision` or `real`.
    @inlinable
    public static func canDecode(_ type: UInt32) -> Bool {
        type == PostgresType.float8.oid || type == PostgresType.float4.oid
    }
    /// Eight bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(bitPattern)
    }
    /// Reads 4 or 8 bytes.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        switch postgresBytes.count {
        case 8: self.init(bitPattern: UInt64(bigEndian: postgresBytes.loadUnaligned(as: UInt64.self)))
        case 4: self.init(Float(bitPattern: UInt32(bigEndian: postgresBytes.loadUnaligned(as: UInt32.self))))
        default: throw .wrongLength("Double", expected: "4 or 8", got: postgresBytes.count)
        }
    }
}

extension Float: PostgresCodable {
    /// `real`. NaN and the infinities are stored as they are.
    @inlinable public static var postgresType: PostgresType { .float4 }
    /// Four bytes.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(bitPattern)
    }
    /// Reads four bytes.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 4 else {
            throw .wrongLength("Float", expected: "4", got: postgresBytes.count)
        }
        self.init(bitPattern: UInt32(bigEndian: postgresBytes.loadUnaligned(as: UInt32.self)))
    }
}

extension String: PostgresCodable {
    /// `text`.
    @inlinable public static var postgresType: PostgresType { .text }
    /// The text types, and types of the database's own such as enumerations, whose binary form is their label.
    @inlinable
    public static func canDecode(_ type: UInt32) -> Bool {
        switch type {
        case 25, 1043, 1042, 19, 705, 114, 142: true
        default: type >= 16384
        }
    }
    /// The UTF-8 bytes. A string that holds the character U+0000 is refused: PostgreSQL cannot store it.
    @inlinable
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        var copy = self
        let isClean = copy.withUTF8 { utf8 in
            guard !utf8.contains(0) else { return false }
            buffer.append(UnsafeRawBufferPointer(utf8))
            return true
        }
        guard isClean else { throw .zeroCharacter() }
    }
    /// Reads UTF-8.
    @inlinable
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        self.init(decoding: postgresBytes, as: UTF8.self)
    }
}

extension PostgresError {
    @usableFromInline
    static func zeroCharacter() -> PostgresError {
        PostgresError(
            .encoding,
            "A String holds the character U+0000 (NUL), which PostgreSQL cannot store in text. Remove it, or use Data.")
    }
}
