/// The columns of a foreign key that leads to a key of several, or that other properties have too: the same seam as ``KeyColumns``, in the
/// table that refers (decision 0047).
///
/// A reference is **one value** wherever it is carried: in memory, in a row that is read, in a parameter. Where it meets the table it comes apart.
/// A column may belong to another property at the same time, to a part of the key or to a tenant; then that property says what stands in it,
/// and the reference has to say the same.
package struct ForeignKeyColumns: Sendable {
    /// As many columns as the key has, in its order, under the names that they have in the table that refers.
    package let key: KeyColumns
    /// The places of those that belong to no other property: they are written with the reference.
    package let owned: [Int]

    init(_ names: [String], to key: KeyColumns, taken: Set<String> = []) {
        self.key = key.named(names)
        owned = names.indices.filter { !taken.contains(names[$0]) }
    }

    /// The places of those that another property writes.
    package var shared: [Int] { key.parts.indices.filter { !owned.contains($0) } }
    package var ownedNames: [String] { owned.map { key.parts[$0].name } }
}
