import StrataModels

extension StoreMapping {
    /// Whether a table holds objects of these hierarchies (indexes of their roots), or keys of them.
    func refers(_ table: OverlaidTable, to roots: Set<Int>) -> Bool {
        switch table {
        case .entity(let index):
            let entity = entities[index]
            return roots.contains(entity.root.index)
                || entity.foreignKeys(in: self).contains { roots.contains($0.target.root.index) }
        case .join(let name):
            return joinTables.contains { join in
                join.table == name && sides(of: join).contains { roots.contains($0.root.index) }
            }
        }
    }

    /// The classes whose keys a join table's first and second column hold.
    func sides(of join: JoinTable) -> [EntityMapping] { [join.first, join.second] }
}

extension EntityMapping {
    /// A foreign key of a table: what it refers to, whether the server clears it, and whose it is.
    typealias ForeignKey = (
        column: Column, target: EntityMapping, isCleared: Bool, relationship: RelationshipMapping
    )

    /// All foreign keys of relationships in the table for which this class stands.
    func foreignKeys(in mapping: StoreMapping) -> [ForeignKey] {
        let own = tableClasses.flatMap(\.ownForeignKeys).compactMap { relationship -> ForeignKey? in
            guard case .foreignKey(let column) = relationship.storage else { return nil }
            return (column, relationship.destination, relationship.isClearedByServer(column), relationship)
        }
        guard !hiddenColumns.isEmpty else { return own }
        let hidden = mapping.entities.flatMap { owner in
            owner.relationships[owner.descriptor.ownSlots].compactMap { relationship -> ForeignKey? in
                guard let relationship, relationship.isHidden,
                    case .inverseForeignKey(let holder, let column) = relationship.storage, holder.base === self
                else { return nil }
                return (
                    column, owner, column.isNullable && relationship.property.deleteRule == .nullify, relationship
                )
            }
        }
        return own + hidden
    }
}
