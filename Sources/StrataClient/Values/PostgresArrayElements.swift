/// The elements of an array one after the other, each in its binary form with its length before it.
package struct PostgresArrayElements {
    private let buffer: PostgresBuffer
    private var offset = 0

    package init(_ array: PostgresArray) {
        buffer = array.buffer
    }

    var isNextNull: Bool {
        buffer.withUnsafeBytes { Int32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int32.self)) < 0 }
    }

    /// The next element, in its binary form; `nil` for NULL. There must be one.
    package mutating func next() -> [UInt8]? {
        buffer.withUnsafeBytes { bytes in
            let size = Self.size(at: offset, in: bytes)
            let isNull = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) < 0
            defer { offset += size }
            return isNull ? nil : Array(bytes[offset + 4..<offset + size])
        }
    }

    /// Passes over the next element; there must be one.
    package mutating func skip() {
        buffer.withUnsafeBytes { offset += Self.size(at: offset, in: $0) }
    }

    /// Appends the next element to a buffer; there must be one.
    mutating func moveNext(to target: inout PostgresBuffer) {
        buffer.withUnsafeBytes { bytes in
            let size = Self.size(at: offset, in: bytes)
            target.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
            offset += size
        }
    }

    /// How many bytes the element there takes with its length; NULL is a length alone.
    private static func size(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        4 + max(0, Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))))
    }
}
