import StrataClient
package import StrataModels

extension SQLStatement {
    /// The classes that the statement names.
    package var classes: [ModelDescriptor] {
        pieces.compactMap { piece in
            switch piece {
            case .tables(let descriptor, _), .ownTable(let descriptor), .column(let descriptor, _, _),
                .key(let descriptor, _), .part(let descriptor, _, _, _), .link(let descriptor, _, _):
                descriptor
            case .sql, .identifiers, .refused: nil
            }
        }
    }

    /// The SQL, with the names that classes and properties have in a store.
    ///
    /// Throws ``SwiftDataError``: `unknownSchema` for a class that the store does not have, `unsupportedKeyPath` for a key path
    /// without a column, `invalidIdentifier` for an identifier of no row of the store.
    package func fragment(in mapping: StoreMapping, store: String) throws -> SQLFragment {
        var sql = SQLFragment()
        for piece in pieces {
            switch piece {
            case .sql(let fragment): sql.append(fragment)
            case .tables(let descriptor, let alias):
                let entity = try entity(descriptor, mapping)
                sql.append(tables(of: entity))
                // What is selected from has no name of its own.
                let name = alias ?? (entity.ownRows == nil ? nil : entity.table.name)
                if let name { sql.append(" AS \(identifier: name)") }
            case .ownTable(let descriptor): sql.append(try entity(descriptor, mapping).table)
            case .column(let descriptor, let slot, let naming):
                let entity = try entity(descriptor, mapping)
                guard let column = entity.queriedColumn(slot) else { throw withoutColumn(entity, slot) }
                // The value of a reference to a key of parts is no column, be it of one part.
                if let foreignKey = column.foreignKey, !foreignKey.key.isSingle {
                    throw severalColumns(entity, slot, foreignKey.key.names)
                }
                sql.append(name(column.tableNames[0], in: entity.owner(ofSlot: slot), naming, mapping))
            case .key(let descriptor, let naming):
                let entity = try entity(descriptor, mapping)
                sql.append(key(of: entity, naming, mapping))
            case .link(let descriptor, let slot, let part):
                sql.append(try link(try entity(descriptor, mapping), slot, part, mapping))
            case .identifiers(let identifiers, let isArray):
                try append(identifiers, isArray, to: &sql, store: store)
            case .part(let descriptor, let property, let part, let naming):
                let entity = try entity(descriptor, mapping)
                guard let column = entity.queriedColumn(property.slot) else {
                    throw withoutColumn(entity, property.slot)
                }
                let name = name(column.name, in: entity.owner(ofSlot: property.slot), naming, mapping)
                sql.append(part.value(in: name, of: property))
            case .refused(let named, let remedy):
                throw SwiftDataError(.unsupportedKeyPath, "An SQL statement names \(named). \(remedy)")
            }
        }
        return sql
    }

    private func entity(_ descriptor: ModelDescriptor, _ mapping: StoreMapping) throws -> EntityMapping {
        guard let entity = mapping.entity(for: descriptor) else {
            throw SwiftDataError(
                .unknownSchema,
                "An SQL statement names \(descriptor.entityName), which is not part of this store's schema. Name it in "
                    + "ModelContainer(for:), and classes of one store in one statement.")
        }
        return entity
    }

    /// A row of a subclass is one row in the table of each class above it, all with the same key; or it is one of the rows of the root's table.
    private func tables(of entity: EntityMapping) -> SQLFragment {
        if let ownRows = entity.ownRows {
            return "(SELECT * FROM \(entity.table) WHERE \(ownRows.isMet(by: "\(identifier: ownRows.column)")))"
        }
        guard entity.parent != nil else { return "\(entity.table)" }
        let chain = entity.chain
        var sql: SQLFragment = "(\(chain[0].table)"
        for level in chain.dropFirst() { sql.append(" JOIN \(level.table) USING (\(level.key.list()))") }
        sql.append(")")
        return sql
    }

    private func name(
        _ column: String, in owner: EntityMapping, _ naming: Naming, _ mapping: StoreMapping
    ) -> SQLFragment {
        switch naming {
        case .withTable: "\(Self.name(of: owner.table, mapping)).\(identifier: column)"
        case .of(let alias): "\(identifier: alias).\(identifier: column)"
        case .alone: "\(identifier: column)"
        }
    }

    /// What a column stands behind: the table's name alone, as an alias would; with its schema where two tables have that name.
    private static func name(of table: TableName, _ mapping: StoreMapping) -> SQLFragment {
        mapping.hasNamesakes(table)
            ? "\(identifier: table.schema).\(identifier: table.name)" : "\(identifier: table.name)"
    }

    private func key(of entity: EntityMapping, _ naming: Naming, _ mapping: StoreMapping) -> SQLFragment {
        switch naming {
        case .withTable: entity.key.value(of: Self.name(of: entity.table, mapping))
        case .of(let alias): entity.key.value(of: "\(identifier: alias)")
        case .alone: entity.key.value()
        }
    }

    private func append(
        _ identifiers: [PersistentIdentifier], _ isArray: Bool, to sql: inout SQLFragment, store: String
    )
        throws
    {
        for identifier in identifiers where identifier.storeIdentifier != store {
            throw SwiftDataError(
                .invalidIdentifier,
                "An SQL statement has the identifier of an object that is not in the store of the statement: it belongs to another "
                    + "store, or was never inserted.", identifiers: [identifier])
        }
        if isArray {
            // The server infers the type of an array without elements from its place.
            guard let kind = identifiers.first?.key.kind else { return sql.append("'{}'") }
            sql.append(bind: identifiers.map(\.key), of: kind)
        } else if let only = identifiers.first {
            sql.append(bind: only.key)
        }
    }

    private func link(
        _ entity: EntityMapping, _ slot: Int, _ part: LinkPart, _ mapping: StoreMapping
    ) throws -> SQLFragment {
        let relationship = entity.relationships[slot]
        guard case .joinTable(let table, let own, let other)? = relationship?.storage else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "An SQL statement names the table of pairs of \(entity.descriptor.properties[slot].qualifiedName), which has none. "
                    + (relationship.map(remedy) ?? "Name a many-to-many relationship."))
        }
        switch part {
        case .table: return "\(table.table)"
        case .ownKey: return own.value(of: Self.name(of: table.table, mapping))
        case .otherKey: return other.value(of: Self.name(of: table.table, mapping))
        }
    }

    /// Where a relationship without a column of its own lies.
    private func remedy(_ relationship: RelationshipMapping) -> String {
        switch relationship.storage {
        case .joinTable:
            "Name the table of its pairs, \\(joinTable:), and its columns, \\(ownKey:) and \\(otherKey:)."
        case .inverseForeignKey(let holder, let column):
            "Join \"\(holder.table.name)\", whose \(column.tableNames.count == 1 ? "column" : "columns") \"\(column.tableNames.joined(separator: "\", \""))\" \(column.tableNames.count == 1 ? "holds" : "hold") the key."
        case .foreignKey: "Name its column, as that of any property."
        }
    }

    private func severalColumns(
        _ entity: EntityMapping, _ slot: Int, _ columns: [String]
    ) -> SwiftDataError {
        SwiftDataError(
            .unsupportedKeyPath,
            "An SQL statement names the relationship \(entity.descriptor.properties[slot].qualifiedName), whose foreign key leads to a key of parts, by "
                + "\(columns.joined(separator: ", ")) in \"\(entity.owner(ofSlot: slot).table.name)\". Name these.")
    }

    private func withoutColumn(_ entity: EntityMapping, _ slot: Int) -> SwiftDataError {
        let property = entity.descriptor.properties[slot]
        guard let relationship = entity.relationships[slot] else {
            return SwiftDataError(
                .unsupportedKeyPath, "An SQL statement names \(property.qualifiedName), which is not stored.")
        }
        return SwiftDataError(
            .unsupportedKeyPath,
            "An SQL statement names the relationship \(property.qualifiedName), which has no column in "
                + "\"\(entity.owner(ofSlot: slot).table.name)\". \(remedy(relationship))")
    }
}
