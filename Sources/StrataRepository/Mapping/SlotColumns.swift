import StrataModels

/// Which column has the value of which slot of one class: what ``RowWriter`` and ``RowReader`` ask for every object. -1 for none.
// @unchecked: written by whatever makes the list only, before anything else has it.
final class SlotColumns: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Int16>
    private let count: Int

    init(_ count: Int) {
        self.count = max(count, 1)
        pointer = .allocate(capacity: self.count)
        pointer.initialize(repeating: -1, count: self.count)
    }

    deinit {
        pointer.deallocate()
    }

    subscript(slot: Int) -> Int {
        get { Int(pointer[slot]) }
        // Below 1,600, the columns a table can have, for each class of a hierarchy; a hierarchy of more than twenty full
        // tables would be refused by Int16 and is not met.
        set { pointer[slot] = Int16(clamping: newValue) }
    }
}
