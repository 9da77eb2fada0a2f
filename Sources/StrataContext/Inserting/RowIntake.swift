import StrataRepository

/// Takes rows without objects, one after the other, as bytes.
///
/// Who gives the rows knows their type, and is compiled where that type is known: asked for through generic code, the sequence and its
/// tuples were a third of the client's time.
@usableFromInline
final class RowIntake {
    let insertion: RowInsertion
    let encoder: RowEncoder
    // Set between rows, and never within one: without checks for overlapping access.
    @exclusivity(unchecked) private(set) var batch: RowBatch

    init(_ insertion: RowInsertion, _ encoder: RowEncoder) {
        (self.insertion, self.encoder) = (insertion, encoder)
        batch = insertion.makeBatch()
    }

    /// Encodes rows until those that are there want to be looked at. Returns false when none is left.
    ///
    /// Throws ``SwiftDataError`` for a value that cannot be stored.
    @inlinable
    func fill(from rows: inout some IteratorProtocol) throws -> Bool {
        while let row = rows.next() {
            guard try append(row) else { return true }
        }
        return false
    }

    /// Encodes a row. Returns false when the rows that are there want to be looked at before the next one comes.
    ///
    /// Throws ``SwiftDataError`` for a value that cannot be stored.
    @inlinable
    func append(_ row: some Any) throws -> Bool { try withUnsafeBytes(of: row) { try append(bytes: $0) } }

    @usableFromInline
    func append(bytes row: UnsafeRawBufferPointer) throws -> Bool {
        try encoder.append(row, to: batch)
        return batch.count % RowInsertion.rowsAtOnce != 0 && !batch.isFull
    }

    /// Begins the next batch.
    func clear() { batch = insertion.makeBatch() }
}
