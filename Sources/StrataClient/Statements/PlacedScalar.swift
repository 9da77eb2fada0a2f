import Foundation

/// A column of a type that most columns have, read from its bytes alone, and where its value stands in what a row becomes.
package struct PlacedScalar {
    package let type: CommonScalar
    package let column: Int
    /// From the beginning of the row's values.
    package let offset: Int

    package init(_ type: CommonScalar, of column: Int, at offset: Int) {
        self.type = type
        self.column = column
        self.offset = offset
    }

    /// `false`, with nothing made, where the value takes more than the usual form.
    @inline(__always)
    fileprivate func make(of row: PostgresRow, at place: UnsafeMutableRawPointer) -> Bool {
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
            guard bytes.count == 8 else { return false }
            place.initializeMemory(
                as: Date.self,
                to: Date(postgresMicroseconds: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))))
        case .uuid:
            guard bytes.count == 16 else { return false }
            place.initializeMemory(as: UUID.self, to: UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        }
        return true
    }
}

extension PostgresRow {
    /// Makes the values of one column after the other, each at its place, up to the first column that is no common scalar, or whose value
    /// takes more than its bytes: NULL, or a number of another width.
    ///
    /// - Returns: that column's index; the number of columns where all are made.
    package func make(
        _ columns: UnsafeBufferPointer<PlacedScalar?>, from first: Int, at place: UnsafeMutableRawPointer
    ) -> Int {
        var index = first
        while index < columns.count, let scalar = columns[index], scalar.make(of: self, at: place + scalar.offset) {
            index += 1
        }
        return index
    }
}
