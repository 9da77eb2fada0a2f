import Foundation
import StrataClient
import StrataModels

/// One value of every row, and where it stands in the tuple that a row becomes.
struct PlacedColumn {
    /// From the tuple's beginning.
    let offset: Int
    /// What is read without a call: most columns. Read otherwise where it is NULL, or of another width.
    let scalar: PlacedScalar?
    let read: (PostgresRow, UnsafeMutableRawPointer) throws -> Void
    let destroy: (UnsafeMutableRawPointer) -> Void

    init<Value>(_ reader: PlacedReader<Value>, offset: Int) {
        self.offset = offset
        scalar = reader.scalar
        read = reader.read
        destroy = { place in place.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    }
}

/// A column of a type that most columns have, read from its bytes alone.
struct PlacedScalar {
    let type: CommonScalar
    let column: Int

    /// Makes the value at a place; `false`, with nothing made, where it takes more than the usual form.
    @inline(__always)
    func make(_ row: PostgresRow, at place: UnsafeMutableRawPointer) -> Bool {
        guard let bytes = row.bytes(column) else { return false }
        switch type {
        case .string:
            place.initializeMemory(as: String.self, to: String(decoding: bytes, as: UTF8.self))
        case .int:
            guard bytes.count == 8 else { return false }
            place.initializeMemory(
                as: Int.self, to: Int(truncatingIfNeeded: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))))
        case .double:
            guard bytes.count == 8 else { return false }
            place.initializeMemory(
                as: Double.self, to: Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case .bool:
            guard bytes.count == 1 else { return false }
            place.initializeMemory(as: Bool.self, to: bytes[0] != 0)
        case .date:
            guard let date = try? Date(postgresBytes: bytes) else { return false }
            place.initializeMemory(as: Date.self, to: date)
        case .uuid:
            guard let uuid = try? UUID(postgresBytes: bytes) else { return false }
            place.initializeMemory(as: UUID.self, to: uuid)
        }
        return true
    }
}
