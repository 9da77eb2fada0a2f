import StrataClient

/// Which row of a store: keys are unique within a hierarchy, and those of two may be equal.
struct RowPlace: Hashable {
    /// The index of the hierarchy's root.
    let root: Int
    let key: RowKey

    init(_ key: RowKey, of entity: EntityMapping) { (root, self.key) = (entity.root.index, key) }
}
