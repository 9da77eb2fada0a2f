/// Which column of a result holds which slot of one class: fixed once a list of columns, read for every row.
// @unchecked: written only by the list of columns that makes it, before anyone else sees it.
package final class RowLayout: @unchecked Sendable {
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
