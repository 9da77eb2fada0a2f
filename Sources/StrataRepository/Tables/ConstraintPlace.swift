/// The table and the columns of a `#Unique` or `#Index`: all of them lie in the table of one class of the chain.
struct ConstraintPlace {
    let entity: EntityMapping
    /// Of each property: a reference may have several.
    let properties: [[String]]
    var columns: [String] { properties.flatMap(\.self) }

    /// - Returns: `nil` when a name has no column or the columns lie in several tables; validation says why.
    init?(_ properties: [String], in entity: EntityMapping) {
        var columns: [[String]] = []
        var owner: EntityMapping?
        for name in properties {
            guard let slot = entity.descriptor.property(named: name)?.slot, let column = entity.queriedColumn(slot)
            else { return nil }
            let place = entity.owner(ofSlot: slot)
            guard owner == nil || owner === place else { return nil }
            owner = place
            // One that two properties have stands there once.
            let known = columns.flatMap(\.self)
            columns.append(column.tableNames.filter { !known.contains($0) })
        }
        guard let owner else { return nil }
        self.entity = owner
        self.properties = columns
    }
}
