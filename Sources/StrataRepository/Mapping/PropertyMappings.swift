/// Where the properties of one class lie, and what else stands in its table.
struct PropertyMappings: Sendable {
    let columns: [Column?]
    let relationships: [RelationshipMapping?]
    let hiddenColumns: [Column]
    let orders: [ListOrder]
    let composedColumns: [Column]
    let declaredConversions: [String: ColumnConversion]

    /// - Parameters:
    ///   - columns: the column of each slot of `entity`.
    ///   - relationships: the relationship of each slot.
    init(
        of entity: EntityMapping, columns: [Column?], relationships: [RelationshipMapping?], hiddenColumns: [Column],
        orders: [ListOrder]
    ) {
        self.columns = columns
        self.relationships = relationships
        self.hiddenColumns = hiddenColumns
        self.orders = orders
        let own = entity.descriptor.ownSlots.filter { $0 != entity.keySlot }.compactMap { columns[$0] }
        composedColumns = (own + hiddenColumns).filter { $0.foreignKey != nil }
        declaredConversions = entity.base.tableClasses.reduce(into: [:]) {
            $0.merge(ColumnConversion.declared(in: $1.descriptor)) { first, _ in first }
        }
    }
}
