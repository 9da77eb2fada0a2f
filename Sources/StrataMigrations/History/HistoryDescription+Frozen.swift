package import StrataRepository

extension HistoryDescription {
    /// What is recorded of the classes of a released version: the same as for the classes themselves.
    package init(_ schema: FrozenSchema) {
        let recorded = schema.entities.filter { schema.recordsHistory(of: $0) }
        self.init(
            entities: recorded.map { Entity($0, in: schema) },
            links: recorded.flatMap { entity in
                entity.relationships.compactMap { Self.link($0, of: entity) }
            })
    }

    private static func link(_ relationship: FrozenRelationship, of entity: FrozenEntity) -> Link? {
        switch relationship.storage {
        case .joinTable(let table, let own, _):
            Link(
                table: table,
                sides: [
                    Side(column: own, columns: relationship.columns, entity: entity.name, property: relationship.name)
                ])
        case .inverseForeignKey(let table, let column) where relationship.inverse == nil:
            Link(
                table: table,
                sides: [
                    Side(
                        column: column, columns: relationship.columns, entity: entity.name, property: relationship.name)
                ])
        case .foreignKey, .inverseForeignKey: nil
        }
    }
}

extension HistoryDescription.Entity {
    fileprivate init(_ entity: FrozenEntity, in schema: FrozenSchema) {
        let attributes = entity.attributes.map { attribute in
            HistoryDescription.Property(
                name: attribute.name, was: attribute.originalName.map { [$0] } ?? [], column: attribute.column,
                external: attribute.options.contains(.externalStorage),
                preserved: attribute.options.contains(.preserveValueOnDeletion))
        }
        let relationships = entity.relationships.map { relationship in
            let column: String? = if case .foreignKey(_, let column) = relationship.storage { column } else { nil }
            let columns = column == nil ? nil : relationship.columns
            return HistoryDescription.Property(
                name: relationship.name, was: relationship.originalName.map { [$0] } ?? [],
                column: columns == nil ? column : nil, columns: columns)
        }
        let isRootOfSeveral = entity.parent == nil && !schema.children(of: entity).isEmpty
        self.init(
            name: entity.name, parent: entity.parent, table: entity.table,
            class: isRootOfSeveral ? schema.database.table(named: entity.table)?.classColumn : nil,
            classes: [entity.discriminator],
            properties: attributes + relationships)
    }
}

extension FrozenSchema {
    /// What the class at the top of the hierarchy says.
    package func recordsHistory(of entity: FrozenEntity) -> Bool { chain(of: entity).first?.recordsHistory ?? true }
}
