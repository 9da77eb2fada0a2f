package import StrataModels
package import StrataRepository

extension FrozenSchema {
    /// What a schema is today: its classes, properties, tables and columns.
    ///
    /// Evaluates the initializer expressions of all attributes, several times, to learn which of them are constant.
    ///
    /// Throws `usage` with all findings, when the schema cannot be used.
    ///
    /// - Parameter tables: who makes them. Migrations are for Strata's own.
    package init(freezing schema: Schema, tables: TableOwnership = .own) throws(MigrationError) {
        let mapping = StoreMapping(schema, in: "public", tables: tables)
        let findings = SchemaValidation.findings(schema, mapping: mapping)
        guard findings.isEmpty else {
            throw MigrationError(
                .usage, "The schema \(schema.version) cannot be frozen.", places: findings.map(\.description))
        }
        self.init(
            version: schema.version,
            entities: mapping.entities.filter { !$0.isView }.map { FrozenEntity($0) }.sorted { $0.name < $1.name },
            database: DatabaseDefinition(mapping).sorted)
    }
}

extension FrozenEntity {
    fileprivate init(_ mapping: EntityMapping) {
        let own = mapping.descriptor.ownSlots
        self.init(
            name: mapping.name, parent: mapping.parent?.name, table: mapping.table.name,
            discriminator: mapping.discriminator,
            attributes: own.compactMap { slot in
                guard let property = mapping.descriptor.properties[slot] as? AnyAttributeProperty,
                    let column = mapping.columns[slot], slot != mapping.keySlot
                else { return nil }
                return FrozenAttribute(property, column: column)
            },
            relationships: own.compactMap { slot in
                mapping.relationships[slot].map { FrozenRelationship($0) }
            },
            computed: own.reduce(into: [:]) { computed, slot in
                computed[mapping.descriptor.properties[slot].name] = mapping.generatedColumns[slot]?.column.name
            },
            uniques: mapping.entity.uniquenessConstraints,
            indexes: mapping.entity.modelIndices.map { FrozenIndex(method: $0.method.rawValue, properties: $0.names) },
            recordsHistory: mapping.entity.recordsHistory, isAbstract: mapping.entity.isAbstract)
    }
}

extension FrozenAttribute {
    fileprivate init(_ property: AnyAttributeProperty, column: Column) {
        let type = Self.unwrapped(property.valueType)
        let options = property.options.compactMap { Option($0) }.sorted()
        let isRaw = !property.isJSON && !options.contains(.transformable)
        self.init(
            name: property.name, originalName: property.originalName, column: column.name,
            type: ColumnType(of: column), valueType: String(describing: type), isOptional: property.isOptional,
            options: options,
            hashModifier: property.hashModifier,
            cases: isRaw ? Self.cases(of: type) : nil,
            // Rows that are there are somebody's: what a new object has until it is inserted names nobody.
            defaultExpression: property.options.contains(.tenant) ? nil : DefaultExpression(property).text)
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalValueType.Type)?.wrapped ?? type
    }

    private static func cases(of type: Any.Type) -> [String]? {
        let element = (type as? any ListValueType.Type)?.element ?? type
        guard element is any RawRepresentable.Type, let listed = element as? any CaseIterable.Type else { return nil }
        return rawValues(listed)
    }

    private static func rawValues<Listed: CaseIterable>(_ type: Listed.Type) -> [String] {
        type.allCases.compactMap { value in (value as? any RawRepresentable).map { "\($0.rawValue)" } }
    }
}

extension FrozenAttribute.Option {
    fileprivate init?(_ option: Schema.Attribute.Option) {
        switch option {
        case .unique: self = .unique
        case .externalStorage: self = .externalStorage
        case .codable: self = .codable
        case .ephemeral: self = .ephemeral
        case .preserveValueOnDeletion: self = .preserveValueOnDeletion
        case .allowsCloudEncryption: self = .allowsCloudEncryption
        case .spotlight: self = .spotlight
        case .transformable: self = .transformable
        case .deletionDate: self = .deletionDate
        // The key stands in the primary key of the table. Dates are set by saves.
        // A precision is part of the column's type, a default of the column, a tenant of the table's policy. What is computed
        // is no attribute.
        case .hidden, .primaryKey, .creationDate, .modificationDate, .precision, .tenant, .generated, .serverDefault:
            return nil
        }
    }
}

extension FrozenRelationship {
    fileprivate init(_ mapping: RelationshipMapping) {
        let property = mapping.property
        var (columns, otherColumns) = (mapping.foreignKey?.key.names, [String]?.none)
        let storage: Storage
        switch mapping.storage {
        case .foreignKey(let column):
            storage = .foreignKey(table: mapping.owner.table.name, column: column.tableNames[0])
        case .inverseForeignKey(let holder, let column):
            storage = .inverseForeignKey(table: holder.table.name, column: column.tableNames[0])
        case .joinTable(let join, let own, let other):
            storage = .joinTable(table: join.table.name, own: own.first, other: other.first)
            columns = own.isSingle ? nil : own.names
            otherColumns = other.isSingle ? nil : other.names
        }
        self.init(
            name: property.name, originalName: property.originalName, destination: mapping.destination.name,
            inverse: mapping.inverse?.name, deleteRule: property.deleteRule.rawValue, isToOne: property.isToOne,
            isOptional: property.isOptional, minimumCount: property.metadata.minimumModelCount,
            maximumCount: property.metadata.maximumModelCount, hashModifier: property.hashModifier, storage: storage,
            columns: columns, owned: mapping.foreignKey?.ownedNames, otherColumns: otherColumns,
            position: mapping.order?.position.name)
    }
}

/// Finds the type of the elements of an array type.
private protocol ListValueType {
    static var element: Any.Type { get }
}

extension Array: ListValueType {
    fileprivate static var element: Any.Type { Element.self }
}

/// Finds the type inside an optional type.
private protocol OptionalValueType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalValueType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}
