/// A growable buffer in which values are put together before they are sent; integers go in big-endian.
public struct PostgresBuffer: Sendable {
    /// The bytes behind a buffer.
    // Unchecked: written only while exactly one buffer refers to it (copy on write), read-only otherwise.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline let base: UnsafeMutableRawPointer
        @usableFromInline let capacity: Int
        // Never held across a call: no checks for overlapping access are needed.
        @exclusivity(unchecked) @usableFromInline var count: Int

        @usableFromInline
        init(capacity: Int, count: Int) {
            base = .allocate(byteCount: max(capacity, 1), alignment: 8)
            self.capacity = capacity
            self.count = count
        }

        deinit { base.deallocate() }
    }

    private static let empty = Storage(capacity: 0, count: 0)

    @usableFromInline var storage: Storage

    /// An empty buffer.
    public init() {
        storage = Self.empty
    }

    /// An empty buffer that takes `capacity` bytes before it grows.
    public init(capacity: Int) {
        storage = Storage(capacity: capacity, count: 0)
    }

    /// The number of bytes.
    @inlinable public var count: Int { storage.count }

    /// Calls `body` with the bytes; they must not be used after it returns.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
    }

    /// The bytes, copied.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Makes room for `additional` more bytes.
    @inlinable
    public mutating func reserve(_ additional: Int) {
        if !isKnownUniquelyReferenced(&storage) || storage.count + additional > storage.capacity {
            grow(additional)
        }
    }

    @usableFromInline
    mutating func grow(_ additional: Int) {
        let needed = storage.count + additional
        let larger = Storage(capacity: max(needed, storage.capacity &* 2, 64), count: storage.count)
        larger.base.copyMemory(from: storage.base, byteCount: storage.count)
        storage = larger
    }

    /// Appends one byte.
    @inlinable
    public mutating func appendByte(_ value: UInt8) {
        appendInteger(value)
    }

    /// Appends an integer in network byte order.
    @inlinable
    public mutating func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
        reserve(MemoryLayout<Value>.size)
        storage.base.storeBytes(of: value.bigEndian, toByteOffset: storage.count, as: Value.self)
        storage.count &+= MemoryLayout<Value>.size
    }

    /// Appends bytes as they are.
    @inlinable
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        (storage.base + storage.count).copyMemory(from: start, byteCount: bytes.count)
        storage.count &+= bytes.count
    }

    /// Appends bytes as they are.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Overwrites four bytes at `offset`, which must lie within the buffer.
    @inlinable
    mutating func patch(_ value: Int32, at offset: Int) {
        reserve(0)
        storage.base.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self)
    }

    /// Forgets the bytes from `count` on.
    @inlinable
    mutating func truncate(to count: Int) {
        reserve(0)
        storage.count = count
    }

    /// Forgets the bytes and keeps the room.
    mutating func removeAll() {
        truncate(to: 0)
    }

    /// Appends a length word and the value; leaves the buffer unchanged when the value cannot be encoded.
    @inlinable
    mutating func appendCounted<Value: PostgresCodable>(_ value: Value) throws(PostgresError) {
        let start = count
        appendInteger(Int32(0))
        do {
            try value.encode(into: &self)
        } catch {
            truncate(to: start)
            throw error
        }
        let length = count &- start &- 4
        guard let word = Int32(exactly: length) else {
            truncate(to: start)
            throw PostgresError.tooLong(length)
        }
        patch(word, at: start)
    }
}

extension PostgresError {
    @usableFromInline
    static func tooLong(_ length: Int) -> PostgresError {
        PostgresError(.encoding, "A value of \(length) bytes is longer than PostgreSQL takes (1 GB).")
    }

    @usableFromInline
    static func wrongLength(_ type: String, expected: String, got: Int) -> PostgresError {
        PostgresError(.decoding, "\(type) needs \(expected) bytes; the server sent \(got).")
    }

    @usableFromInline
    static func outOfRange(decoding type: String) -> PostgresError {
        PostgresError(.decoding, "The server's value is out of the range of \(type).")
    }
}
