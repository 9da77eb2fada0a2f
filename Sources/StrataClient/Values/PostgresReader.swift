/// Reads the parts of a value one after the other and never beyond its end.
package struct PostgresReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var remaining: Int { bytes.count - position }

    mutating func readInt16() throws(PostgresError) -> Int16 {
        Int16(bigEndian: try take(2).loadUnaligned(as: Int16.self))
    }

    package mutating func readInt32() throws(PostgresError) -> Int32 {
        Int32(bigEndian: try take(4).loadUnaligned(as: Int32.self))
    }

    package mutating func readInt64() throws(PostgresError) -> Int64 {
        Int64(bigEndian: try take(8).loadUnaligned(as: Int64.self))
    }

    /// Reads a length word and that many bytes; -1 is NULL.
    mutating func readCounted() throws(PostgresError) -> UnsafeRawBufferPointer? {
        let length = Int(try readInt32())
        if length == -1 { return nil }
        return try take(length)
    }

    mutating func take(_ count: Int) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else {
            throw PostgresError(.decoding, "The server sent a value that ends too early.")
        }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}
