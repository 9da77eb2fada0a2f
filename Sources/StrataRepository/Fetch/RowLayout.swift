/// Which column of a result holds which slot of one class: fixed once a query, read for every row.
package final class RowLayout {
    package let entity: EntityMapping
    /// Slot → column of the result, -1 for what was not selected.
    let columns: UnsafeMutablePointer<Int16>
    let count: Int

    init(_ entity: EntityMapping) {
        self.entity = entity
        count = entity.descriptor.properties.count
        columns = .allocate(capacity: max(count, 1))
        columns.initialize(repeating: -1, count: max(count, 1))
    }

    deinit {
        columns.deallocate()
    }
}
