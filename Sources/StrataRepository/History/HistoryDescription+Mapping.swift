import StrataModels

extension HistoryDescription {
    /// Nothing at all.
    package static let none = HistoryDescription(entities: [], links: [])

    /// What is recorded of a store with these classes.
    package init(_ mapping: StoreMapping) {
        guard mapping.recordsHistory else {
            self = .none
            return
        }
        let recorded = mapping.entities.filter(\.entity.recordsHistory)
        self.init(entities: recorded.map { Entity($0) }, links: recorded.flatMap { Self.links(of: $0) })
    }

    private static func links(of entity: EntityMapping) -> [Link] {
        entity.descriptor.ownSlots.compactMap { slot in
            guard let relationship = entity.relationships[slot] else { return nil }
            let name = relationship.property.name
            switch relationship.storage {
            case .joinTable(let join, let own, _):
                return Link(
                    table: join.table.name,
                    sides: [
                        Side(
                            column: own.first, columns: own.isSingle ? nil : own.names, entity: entity.name,
                            property: name)
                    ])
            case .inverseForeignKey(let holder, let column) where relationship.isHidden:
                return Link(
                    table: holder.table.name,
                    sides: [
                        Side(
                            column: column.tableNames[0], columns: column.foreignKey?.key.names, entity: entity.name,
                            property: name)
                    ])
            case .foreignKey, .inverseForeignKey:
                return nil
            }
        }
    }
}

extension HistoryDescription.Entity {
    fileprivate init(_ mapping: EntityMapping) {
        self.init(
            name: mapping.name, parent: mapping.parent?.name, table: mapping.table.name,
            class: mapping.parent == nil ? mapping.classColumn : nil,
            classes: [mapping.discriminator],
            // The key is said with each change, and never changes. What is computed follows from what changes.
            properties: mapping.descriptor.ownSlots.filter {
                $0 != mapping.keySlot && mapping.generatedColumns[$0] == nil
            }.map { slot in
                let property = mapping.descriptor.properties[slot]
                let column = mapping.columns[slot]
                let options = (property as? AnyAttributeProperty)?.options ?? []
                return HistoryDescription.Property(
                    name: property.name, was: property.originalName.map { [$0] } ?? [],
                    column: column?.foreignKey == nil ? column?.name : nil, columns: column?.foreignKey?.key.names,
                    external: column?.isExternal ?? false,
                    preserved: column != nil && options.contains(.preserveValueOnDeletion))
            }, isAbstract: mapping.entity.isAbstract)
    }
}
