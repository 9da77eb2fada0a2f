import StrataClient

/// One value of every row, and where it stands in the tuple that a row becomes.
struct PlacedColumn {
    /// From the tuple's beginning.
    let offset: Int
    /// What is read without a call: most columns.
    let scalar: PlacedScalar?
    let read: (PostgresRow, UnsafeMutableRawPointer) throws -> Void
    let destroy: (UnsafeMutableRawPointer) -> Void

    init<Value>(_ reader: PlacedReader<Value>, offset: Int) {
        self.offset = offset
        scalar = reader.scalar.map { PlacedScalar($0.type, of: $0.column, at: offset) }
        read = reader.read
        destroy = { place in place.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    }
}
