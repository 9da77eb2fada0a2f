/// Which column of a result holds which slot of one class: fixed once a list of columns, read for every row.
package final class RowLayout: Sendable {
    package let entity: EntityMapping
    /// Slot → column of the result, -1 for what was not selected.
    let columns: SlotColumns
    /// What stands in the `class` column of its rows.
    private let discriminator: [UInt8]

    init(_ entity: EntityMapping, _ columns: SlotColumns) {
        self.entity = entity
        self.columns = columns
        discriminator = Array(entity.discriminator.utf8)
    }

    /// Whether a row with this text in its `class` column is of this class.
    @inline(__always)
    func describes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == discriminator.count else { return false }
        for index in discriminator.indices where discriminator[index] != bytes[index] { return false }
        return true
    }
}
