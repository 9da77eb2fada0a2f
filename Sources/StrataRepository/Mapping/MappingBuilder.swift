import StrataClient
import StrataModels

/// Builds a ``StoreMapping``: entities, then columns and relationships class by class, parents first.
struct MappingBuilder {
    private(set) var entities: [EntityMapping] = []
    private(set) var joinTables: [JoinTable] = []
    private let schemaName: String
    private let classes: VersionClasses
    private var byDescriptor: [ObjectIdentifier: EntityMapping] = [:]
    /// What is known of each class so far, by its index.
    private var parts: [Parts]

    /// What is found of one class and its table, some of it by way of others.
    private struct Parts {
        var columns: [Column?] = []
        var relationships: [RelationshipMapping?] = []
        var hiddenColumns: [Column] = []
        var orders: [ListOrder] = []
    }

    init(
        _ schema: Schema, schemaName: String, tables: TableOwnership = .own, found: [TableName: FoundTable] = [:]
    ) {
        self.schemaName = schemaName
        classes = schema.classes
        parts = schema.entities.map { _ in Parts() }
        makeEntities(schema, tables, found)
        let parentsFirst = entities.filter { $0.parent == nil }.flatMap(\.family)
        for entity in parentsFirst { mapProperties(of: entity) }
        for entity in entities {
            let found = parts[entity.index]
            entity.tiedProperties.set(
                PropertyMappings(
                    of: entity, columns: found.columns, relationships: found.relationships,
                    hiddenColumns: found.hiddenColumns, orders: found.orders))
        }
    }

    /// The entities in the order of the schema; each is made after its superclass.
    private mutating func makeEntities(
        _ schema: Schema, _ tables: TableOwnership, _ found: [TableName: FoundTable]
    ) {
        let places = Dictionary(
            schema.entities.enumerated().map { (ObjectIdentifier($1.descriptor), $0) },
            uniquingKeysWith: { first, _ in first })
        var made: [EntityMapping?] = schema.entities.map { _ in nil }
        var children: [[EntityMapping]] = schema.entities.map { _ in [] }
        func make(_ index: Int) -> EntityMapping {
            if let known = made[index] { return known }
            let entity = schema.entities[index]
            let parent = entity.descriptor.superclass.flatMap { places[ObjectIdentifier($0)] }.map(make)
            let mapping = EntityMapping(
                entity, index: index, parent: parent, schemaName: schemaName, tables: tables, found: found)
            made[index] = mapping
            return mapping
        }
        entities = schema.entities.indices.map(make)
        for entity in entities { if let parent = entity.parent { children[parent.index].append(entity) } }
        for entity in entities { entity.tiedChildren.set(children[entity.index]) }
        byDescriptor = Dictionary(
            entities.map { (ObjectIdentifier($0.descriptor), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func mapProperties(of entity: EntityMapping) {
        if let parent = entity.parent {
            parts[entity.index].columns = parts[parent.index].columns
            parts[entity.index].relationships = parts[parent.index].relationships
        }
        for slot in entity.descriptor.ownSlots {
            let property = entity.descriptor.properties[slot]
            if let relationship = property as? RelationshipProperty {
                let mapping = map(relationship, of: entity)
                parts[entity.index].relationships.append(mapping)
                if case .foreignKey(let column)? = mapping?.storage {
                    parts[entity.index].columns.append(column)
                } else {
                    parts[entity.index].columns.append(nil)
                }
            } else {
                parts[entity.index].relationships.append(nil)
                parts[entity.index].columns.append(Self.column(of: property))
            }
        }
    }

    private static func column(of property: any ModelProperty) -> Column? {
        guard let attribute = property as? AnyAttributeProperty, !attribute.isEphemeral, !attribute.isComputed else {
            return nil
        }
        return column(attribute)
    }

    /// The column of an attribute, whoever writes it.
    static func column(_ attribute: AnyAttributeProperty) -> Column {
        Column(
            name: Naming.column(of: attribute), type: attribute.columnType, transportType: attribute.transportType,
            isNullable: attribute.isOptional, slot: attribute.slot, propertyName: attribute.qualifiedName,
            isExternal: attribute.options.contains(.externalStorage), precision: attribute.precision,
            storedType: attribute.storedType, isGenerated: attribute.isGenerated)
    }

    private mutating func map(_ property: RelationshipProperty, of owner: EntityMapping) -> RelationshipMapping? {
        guard let destination = byDescriptor[ObjectIdentifier(classes.own(property.destination))] else { return nil }
        let inverse: RelationshipProperty? =
            if case .found(let slot) = property.inverseResolution(of: owner.descriptor, among: classes) {
                destination.descriptor.properties[slot] as? RelationshipProperty
            } else {
                nil
            }
        let storage: RelationshipMapping.Storage
        var isHidden = false
        switch (property.isToOne, inverse) {
        case (true, nil):
            storage = .foreignKey(foreignKey(property, of: owner.descriptor, to: destination))
        case (true, let inverse?) where !inverse.isToOne:
            storage = .foreignKey(foreignKey(property, of: owner.descriptor, to: destination))
        case (true, let inverse?):
            if Self.holdsForeignKey(property, against: inverse) {
                storage = .foreignKey(foreignKey(property, of: owner.descriptor, to: destination))
            } else {
                storage = inverseForeignKey(inverse, from: destination, to: owner)
            }
        case (false, nil):
            let column = Self.hiddenForeignKey(property, to: owner)
            parts[destination.base.index].hiddenColumns.append(column)
            storage = .inverseForeignKey(holder: destination, column: column)
            isHidden = true
        case (false, let inverse?) where inverse.isToOne:
            storage = inverseForeignKey(inverse, from: destination, to: owner)
        case (false, let inverse?):
            storage = joinTable(property, of: owner, inverse: inverse, destination: destination)
        }
        return RelationshipMapping(
            property, owner: owner, destination: destination, storage: storage, inverse: inverse, isHidden: isHidden,
            order: property.isOrdered ? order(of: property, from: owner, to: destination, storage) : nil)
    }

    /// The column with the positions of an ordered relationship, in the table where its links lie.
    private mutating func order(
        of property: RelationshipProperty, from owner: EntityMapping, to destination: EntityMapping,
        _ storage: RelationshipMapping.Storage
    ) -> ListOrder? {
        switch storage {
        case .foreignKey:
            return nil
        case .inverseForeignKey(let holder, let column):
            let order = ListOrder(
                property, table: holder.table,
                owner: column.foreignKey?.key ?? KeyColumns(column.name, owner.keyKind), target: holder.key,
                isOfPairs: false, holder: holder)
            parts[holder.base.index].hiddenColumns.append(order.position)
            parts[holder.base.index].orders.append(order)
            return order
        case .joinTable(let table, let own, let other):
            guard let index = joinTables.firstIndex(where: { $0.table == table.table }) else { return nil }
            let others = joinTables[index].orders
            let first = ListOrder(property, table: table.table, owner: own, target: other, isOfPairs: true)
            let order =
                others.contains { $0.position.name == first.position.name }
                ? ListOrder(
                    property, table: table.table, owner: own, target: other, isOfPairs: true, isSecond: true) : first
            joinTables[index].orders.append(order)
            return order
        }
    }

    /// The class in the destination's chain that declares the inverse: its table holds the column.
    private func holder(of inverse: RelationshipProperty, from destination: EntityMapping) -> EntityMapping {
        byDescriptor[ObjectIdentifier(destination.descriptor.declaring(inverse))] ?? destination
    }

    private func inverseForeignKey(
        _ inverse: RelationshipProperty, from destination: EntityMapping, to owner: EntityMapping
    ) -> RelationshipMapping.Storage {
        let holder = holder(of: inverse, from: destination)
        return .inverseForeignKey(holder: holder, column: foreignKey(inverse, of: holder.descriptor, to: owner))
    }

    /// - Parameter holder: the class that declares the relationship.
    private func foreignKey(
        _ property: RelationshipProperty, of holder: ModelDescriptor, to target: EntityMapping
    ) -> Column {
        let columns = foreignKeyColumns(property, of: holder, to: target.key)
        return Column(
            name: columns.map { Naming.carried($0.key.names) } ?? Naming.column(of: property),
            type: target.keyKind.type, transportType: target.keyKind.type,
            isNullable: property.isOptional, slot: property.slot, propertyName: property.qualifiedName,
            isExternal: false, foreignKey: columns)
    }

    /// The columns of a reference to a key of several, or of one that names the column of another property; `nil` where it has one for itself.
    private func foreignKeyColumns(
        _ property: RelationshipProperty, of holder: ModelDescriptor, to key: KeyColumns
    ) -> ForeignKeyColumns? {
        if key.isSingle, property.metadata.names.columns?.count != 1 { return nil }
        let columns = ForeignKeyColumns(
            Naming.columns(of: property, to: key), to: key, taken: columnsOfOthers(besides: property, in: holder))
        return key.isSingle && columns.shared.isEmpty ? nil : columns
    }

    /// The columns that other properties of a class write: attributes, references of one column, and those of lists of columns that are declared
    /// before.
    private func columnsOfOthers(besides property: RelationshipProperty, in holder: ModelDescriptor) -> Set<String> {
        var columns: Set<String> = []
        for slot in holder.ownSlots where slot != property.slot {
            switch holder.properties[slot] {
            case let attribute as AnyAttributeProperty where !attribute.isEphemeral:
                columns.insert(Naming.column(of: attribute))
            case let other as RelationshipProperty where holdsColumn(other, of: holder):
                let key = KeyColumns(of: classes.own(other.destination))
                if key.isSingle, other.metadata.names.columns == nil {
                    columns.insert(Naming.column(of: other))
                } else if slot < property.slot {
                    columns.formUnion(
                        key.isSingle ? [Naming.column(of: other)] : Naming.columns(of: other, to: key))
                }
            default: break
            }
        }
        return columns
    }

    /// Whether the key of the other object stands in the table of the class that declares a relationship.
    private func holdsColumn(_ property: RelationshipProperty, of holder: ModelDescriptor) -> Bool {
        guard property.isToOne else { return false }
        guard case .found(let slot) = property.inverseResolution(of: holder, among: classes),
            let inverse = classes.own(property.destination).properties[slot] as? RelationshipProperty, inverse.isToOne
        else { return true }
        return Self.holdsForeignKey(property, against: inverse)
    }

    /// A to-many relationship without an inverse: columns in the other table that no property shows.
    private static func hiddenForeignKey(_ property: RelationshipProperty, to owner: EntityMapping) -> Column {
        let columns =
            owner.key.isSingle
            ? nil : ForeignKeyColumns(Naming.columns(of: property, to: owner.key, isHidden: true), to: owner.key)
        return Column(
            name: columns.map { Naming.carried($0.key.names) } ?? Naming.hiddenColumn(of: property),
            type: owner.keyKind.type, transportType: owner.keyKind.type,
            isNullable: true, slot: nil, propertyName: property.qualifiedName, isExternal: false, foreignKey: columns)
    }

    /// One-to-one: which side has the column. The required side must; then the side that names a column; then the side that is deleted
    /// with the other (its partner cascades); then the first by name, so that both sides agree.
    static func holdsForeignKey(_ property: RelationshipProperty, against inverse: RelationshipProperty) -> Bool {
        if property.isOptional != inverse.isOptional { return !property.isOptional }
        let isNamed = property.namesColumn
        if isNamed != inverse.namesColumn { return isNamed }
        let isOwned = inverse.deleteRule == .cascade
        let owns = property.deleteRule == .cascade
        if isOwned != owns { return isOwned }
        // A relationship that is its own inverse (Person.spouse) has its column in every row.
        return property.qualifiedName <= inverse.qualifiedName
    }

    private mutating func joinTable(
        _ property: RelationshipProperty, of owner: EntityMapping, inverse: RelationshipProperty,
        destination: EntityMapping
    ) -> RelationshipMapping.Storage {
        let isFirst = property.qualifiedName <= inverse.qualifiedName
        let first = isFirst ? property : inverse
        let second = isFirst ? inverse : property
        let firstOwner = isFirst ? owner : holder(of: inverse, from: destination)
        let secondOwner = isFirst ? holder(of: inverse, from: destination) : owner
        let (firstColumns, secondColumns) = Naming.pairColumns(
            of: (first, firstOwner.table.name, firstOwner.key), and: (second, secondOwner.table.name, secondOwner.key))
        let (firstKey, secondKey) = (firstOwner.key.named(firstColumns), secondOwner.key.named(secondColumns))
        // The end that names the table says where it is.
        let place = first.metadata.names.table == nil && second.metadata.names.table != nil ? secondOwner : firstOwner
        let table = JoinTable(
            table: TableName(schema: place.table.schema, name: Naming.joinTable(of: first, and: second)),
            firstKey: firstKey, secondKey: secondKey, first: firstOwner, second: secondOwner,
            propertyName: first.qualifiedName,
            constraints: .init(
                key: first.metadata.names.keyConstraint ?? second.metadata.names.keyConstraint,
                first: first.metadata.names.constraint, second: second.metadata.names.constraint))
        let isKnown = joinTables.contains { $0.table == table.table && $0.propertyName == table.propertyName }
        if !isKnown { joinTables.append(table) }
        return .joinTable(table, own: isFirst ? firstKey : secondKey, other: isFirst ? secondKey : firstKey)
    }
}

extension RelationshipProperty {
    /// Whether it says what the foreign key is called.
    fileprivate var namesColumn: Bool { declaredColumn != nil || metadata.names.columns != nil }
}
