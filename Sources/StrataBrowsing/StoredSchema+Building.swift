import StrataClient
import StrataMigrations
import StrataRepository

extension StoredSchema {
    /// The classes as the best source says, and the tables as the catalogs do. What a source says of tables that are not there is
    /// left out: it may be older than they are.
    init(
        name: String, snapshot: String, database: DatabaseDefinition, estimates: [String: Int64], models: FrozenSchema?,
        version: (version: String, frozen: FrozenSchema?)?, history: HistoryDescription?
    ) {
        let builder = StoredClassBuilder(database: database, estimates: estimates)
        let source: Source
        var classes: [StoredClass]
        if let models {
            (source, classes) = (.models, builder.classes(models))
        } else if let frozen = version?.frozen {
            (source, classes) = (.migrations, builder.classes(frozen))
        } else if let history, !history.isEmpty {
            (source, classes) = (.history, builder.classes(history))
        } else {
            (source, classes) = (.tables, builder.classesOfTables())
        }
        builder.addReferrers(to: &classes)
        self.init(
            name: name, source: source, version: version?.version, snapshot: snapshot,
            classes: classes.sorted { $0.name < $1.name },
            tables: database.tables.map { StoredTable($0) }.sorted { $0.name < $1.name })
    }
}

extension StoredTable {
    init(_ table: TableDefinition) {
        self.init(
            name: table.name,
            columns: table.columns.map { column in
                Column(
                    name: column.name, type: column.type.description, isNullable: column.isNullable,
                    isKey: table.primaryKey?.columns.contains(column.name) ?? false,
                    isUnique: table.isUnique(column.name),
                    references: table.foreignKey(of: [column.name])?.referencedTable,
                    whenDeleted: table.foreignKey(of: [column.name])?.effect)
            },
            references: table.foreignKeys.filter { $0.referencedSchema == nil }.map {
                StoredReference(
                    table: table.name, columns: $0.columns, target: $0.referencedTable, whenDeleted: $0.effect)
            })
    }
}

extension TableDefinition {
    /// The foreign key of these columns within the schema, if they have one.
    fileprivate func foreignKey(of columns: [String]) -> ForeignKeyDefinition? {
        foreignKeys.first { $0.columns == columns && $0.referencedSchema == nil }
    }
}

extension ForeignKeyDefinition {
    /// What becomes of the rows that refer to a deleted one.
    fileprivate var effect: DeletionEffect {
        switch onDelete {
        case .cascade: .deletes
        case .setNull: .leaves
        case .setDefault: .resets
        case .restrict, .noAction: .forbids
        }
    }
}

/// Makes classes of what is known of them and of their tables.
private struct StoredClassBuilder {
    let database: DatabaseDefinition
    let estimates: [String: Int64]

    // MARK: Sources

    func classes(_ frozen: FrozenSchema) -> [StoredClass] {
        frozen.entities.compactMap { entity in
            guard let table = keyedTable(entity.table) else { return nil }
            let isRootOfSeveral = entity.parent == nil && !frozen.children(of: entity).isEmpty
            let attributes = entity.attributes.compactMap { attribute in
                property(
                    attribute.name, [attribute.column], of: table, valueType: attribute.valueType,
                    cases: attribute.cases, isExternal: attribute.options.contains(.externalStorage))
            }
            let references = entity.relationships.compactMap { relationship -> StoredProperty? in
                guard case .foreignKey(_, let column) = relationship.storage else { return nil }
                let columns = relationship.columns ?? [column]
                // What no key can be is shown as the value that it is.
                let leads = keys(columns, in: table.name, like: key(of: relationship.destination, in: frozen)) != nil
                return property(
                    relationship.name, columns, of: table, destination: leads ? relationship.destination : nil,
                    deleteRule: relationship.deleteRule)
            }
            return storedClass(
                entity.name, parent: entity.parent, table,
                discriminator: isRootOfSeveral ? frozen.database.table(named: entity.table)?.classColumn : nil,
                values: [entity.discriminator],
                isAbstract: entity.isAbstract ?? false, properties: attributes + references,
                relationships: entity.relationships.compactMap { self.relationship($0, of: entity, in: frozen) })
        }
    }

    /// The key of a class's objects, as its table has it now.
    private func key(of className: String, in frozen: FrozenSchema) -> KeyColumns? {
        frozen.entities.first { $0.name == className }.flatMap { database.table(named: $0.table) }.flatMap {
            key(of: $0)
        }
    }

    private func relationship(
        _ relationship: FrozenRelationship, of entity: FrozenEntity, in frozen: FrozenSchema
    ) -> StoredRelationship? {
        let storage: StoredRelationship.Storage
        let (links, own): (String, KeyColumns)
        let key = key(of: entity.name, in: frozen)
        switch relationship.storage {
        case .foreignKey: return nil
        case .inverseForeignKey(let table, let column):
            guard let columns = keys(relationship.columns ?? [column], in: table, like: key),
                let holder = frozen.entities.first(where: { $0.table == table })
            else { return nil }
            (storage, links, own) = (.foreignKey(columns: columns.names, of: holder.name), table, columns)
        case .joinTable(let table, let first, let other):
            let others = relationship.otherColumns ?? [other]
            guard let columns = keys(relationship.columns ?? [first], in: table, like: key),
                keys(others, in: table, like: self.key(of: relationship.destination, in: frozen)) != nil
            else { return nil }
            (storage, links, own) = (.pairs(table: table, own: columns.names, other: others), table, columns)
        }
        return StoredRelationship(
            name: relationship.name, destination: relationship.destination, storage: storage, own: own,
            position: relationship.position.flatMap { isNumber($0, in: links) ? $0 : nil },
            isToOne: relationship.isToOne, deleteRule: relationship.deleteRule,
            whenDeleted: whenDeleted(relationship.deleteRule, own.names, in: links, arePairs: storage.isPairs))
    }

    func classes(_ history: HistoryDescription) -> [StoredClass] {
        let names = Dictionary(history.entities.map { ($0.table, $0.name) }) { first, _ in first }
        let parents = Dictionary(history.entities.map { ($0.name, $0.parent) }) { first, _ in first }
        var seen: Set<String> = []
        return history.entities.filter { seen.insert($0.name).inserted }.compactMap { entity in
            guard let table = keyedTable(entity.table) else { return nil }
            return storedClass(
                entity.name, parent: Self.isOwnAncestor(entity.name, parents) ? nil : entity.parent, table,
                discriminator: entity.class, values: entity.classes, isAbstract: entity.isAbstract ?? false,
                properties: properties(
                    entity.properties.compactMap { property in
                        (property.columns ?? property.column.map { [$0] }).map {
                            (property.name, $0, property.external)
                        }
                    }, of: table, names),
                relationships: history.links.flatMap { links($0, of: entity, names) })
        }
    }

    /// Whether the parents of a class lead back to it: anybody can have written the description.
    private static func isOwnAncestor(_ name: String, _ parents: [String: String?]) -> Bool {
        var seen: Set<String> = []
        var next = parents[name] ?? nil
        while let parent = next, seen.insert(parent).inserted {
            if parent == name { return true }
            next = parents[parent] ?? nil
        }
        return false
    }

    private func links(
        _ link: HistoryDescription.Link, of entity: HistoryDescription.Entity, _ names: [String: String]
    ) -> [StoredRelationship] {
        guard let table = database.table(named: link.table) else { return [] }
        let key = database.table(named: entity.table).flatMap { self.key(of: $0) }
        return link.sides.filter { $0.entity == entity.name }.compactMap { side in
            guard let own = keys(side.columns ?? [side.column], in: link.table, like: key) else { return nil }
            let storage: StoredRelationship.Storage
            let destination: String
            if let holder = names[link.table] {
                (storage, destination) = (.foreignKey(columns: own.names, of: holder), holder)
            } else {
                guard let other = table.foreignKeys.first(where: { $0.columns != own.names }), leadsToKey(other),
                    let target = names[other.referencedTable]
                else { return nil }
                storage = .pairs(table: link.table, own: own.names, other: other.columns)
                destination = target
            }
            return StoredRelationship(
                name: side.property, destination: destination, storage: storage, own: own, position: nil,
                isToOne: false, deleteRule: nil,
                whenDeleted: whenDeleted(nil, own.names, in: link.table, arePairs: storage.isPairs))
        }
    }

    func classesOfTables() -> [StoredClass] {
        let keyed = database.tables.filter { key(of: $0) != nil }
        let names = Dictionary(keyed.map { ($0.name, $0.name) }) { first, _ in first }
        return keyed.map { table in
            storedClass(
                table.name, parent: nil, table, discriminator: nil, values: [],
                properties: properties(valuesAndReferences(of: table), of: table, names), relationships: [])
        }
    }

    /// The columns of a table, then its references to keys of several columns, by the names of their constraints. The only column of a key is shown as
    /// the key, and as a reference where it is one.
    private func valuesAndReferences(
        of table: TableDefinition
    ) -> [(name: String, columns: [String], isExternal: Bool)] {
        let key = key(of: table)
        let values = table.columns.map(\.name).filter { column in
            key?.isSingle == false || column != key?.first || table.foreignKey(of: [column]).map(leadsToKey) == true
        }
        let references = table.foreignKeys.filter {
            $0.columns.count > 1 && $0.referencedSchema == nil && leadsToKey($0)
        }
        return values.map { ($0, [$0], false) }
            + references.filter { !values.contains($0.name) }.map { ($0.name, $0.columns, false) }
    }

    // MARK: Parts

    private func storedClass(
        _ name: String, parent: String?, _ table: TableDefinition, discriminator: String?, values: [String],
        isAbstract: Bool = false, properties: [StoredProperty], relationships: [StoredRelationship]
    ) -> StoredClass {
        let key = key(of: table) ?? KeyColumns([KeyColumns.Part(name: Naming.key, kind: .integer)])
        return StoredClass(
            name: name, parent: parent, table: table.name, key: key,
            givesKeys: key.names.compactMap { table.column(named: $0) }
                .allSatisfy { $0.identity != nil || $0.defaultExpression != nil },
            discriminator: discriminator.flatMap { table.column(named: $0)?.name }, classValues: values,
            isAbstract: isAbstract, properties: properties, relationships: relationships,
            estimatedRows: estimates[table.name] ?? -1)
    }

    private func properties(
        _ list: [(name: String, columns: [String], isExternal: Bool)], of table: TableDefinition,
        _ names: [String: String]
    ) -> [StoredProperty] {
        // In the order of the columns: a description has its properties by name.
        let places = Dictionary(table.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
        return list.compactMap { item in
            let destination = table.foreignKey(of: item.columns).flatMap {
                leadsToKey($0) ? names[$0.referencedTable] : nil
            }
            return property(item.name, item.columns, of: table, isExternal: item.isExternal, destination: destination)
        }.sorted { (places[$0.column] ?? 0, $0.columns.count) < (places[$1.column] ?? 0, $1.columns.count) }
    }

    private func property(
        _ name: String, _ columnNames: [String], of table: TableDefinition, valueType: String? = nil,
        cases: [String]? = nil, isExternal: Bool = false, destination: String? = nil, deleteRule: String? = nil
    ) -> StoredProperty? {
        let columns = columnNames.compactMap { table.column(named: $0) }
        guard let column = columns.first, columns.count == columnNames.count else { return nil }
        // The key goes with its row: only the rules of models ask for more.
        let effects: [String: DeletionEffect] = ["cascade": .deletes, "deny": .forbids]
        return StoredProperty(
            name: name, columns: columnNames, type: columns.count > 1 ? "text" : column.type.description,
            valueType: valueType, isOptional: columns.contains(where: \.isNullable),
            hasDefault: column.defaultExpression != nil || column.identity != nil || column.isGenerated,
            isUnique: columns.count == 1
                ? table.keyColumn == column.name || table.isUnique(column.name)
                : table.uniques.contains { $0.columns == columnNames },
            isExternal: isExternal,
            isGenerated: column.isGenerated, cases: cases, destination: destination,
            whenDeleted: destination.map { _ in deleteRule.flatMap { effects[$0] } ?? .leaves })
    }

    /// Whether a table has a column of whole numbers of this name. What a description says is a key or a position may be of any type by now, and
    /// a cast from it somebody's function.
    private func isNumber(_ column: String, in table: String) -> Bool {
        database.table(named: table)?.column(named: column)?.type.isInteger ?? false
    }

    /// A column as a part of a key, or as all of it; `nil` for one that can have none.
    private func keyPart(_ column: String, in table: String) -> KeyColumns.Part? {
        guard let type = database.table(named: table)?.column(named: column)?.type, !type.isList else { return nil }
        let (kind, columnType): (RowKey.Kind, String?)
        switch type.base {
        case .smallint, .integer, .bigint: (kind, columnType) = (.integer, nil)
        case .uuid: (kind, columnType) = (.uuid, nil)
        case .text, .other("varchar"): (kind, columnType) = (.text, nil)
        case .other("character"), .other("bpchar"): (kind, columnType) = (.text, "bpchar")
        case .date: (kind, columnType) = (.text, "date")
        case .bytea: (kind, columnType) = (.text, "bytea")
        case .timestamptz: (kind, columnType) = (.date, nil)
        case .other("timestamp"): (kind, columnType) = (.date, "timestamp")
        default: return nil
        }
        return KeyColumns.Part(name: column, kind: kind, columnType: columnType)
    }

    /// Columns that hold keys such as these; `nil` where they cannot: the tables may be others by now than their description says.
    private func keys(_ columns: [String], in table: String, like key: KeyColumns?) -> KeyColumns? {
        guard let key, columns.map({ keyPart($0, in: table)?.kind }) == key.kinds else { return nil }
        return key.named(columns)
    }

    /// Whether it refers to objects by their keys: one that refers to other unique columns leads to a value.
    private func leadsToKey(_ foreignKey: ForeignKeyDefinition) -> Bool {
        guard let key = database.table(named: foreignKey.referencedTable).flatMap({ key(of: $0) }) else { return false }
        return foreignKey.referencedColumns == key.names
    }

    /// A table whose objects have keys.
    private func keyedTable(_ name: String) -> TableDefinition? {
        database.table(named: name).flatMap { key(of: $0) == nil ? nil : $0 }
    }

    /// The primary key, of columns that can have keys.
    private func key(of table: TableDefinition) -> KeyColumns? {
        var columns = table.primaryKey?.columns ?? []
        // What somebody has added to the key of Strata's own table tells no objects apart: it is the history's key still.
        if columns.contains(Naming.key) { columns = [Naming.key] }
        let parts = columns.compactMap { keyPart($0, in: table.name) }
        return parts.isEmpty || parts.count < columns.count ? nil : KeyColumns(parts)
    }

    /// What becomes of those at the other end when the object is deleted whose key is in columns. The rule says what takes or forbids; what
    /// else happens, and all of it where no rule is known, is up to the foreign key.
    private func whenDeleted(
        _ rule: String?, _ columns: [String], in table: String, arePairs: Bool
    ) -> DeletionEffect {
        if rule == "cascade" { return .deletes }
        if rule == "deny" { return .forbids }
        let effect = database.table(named: table)?.foreignKey(of: columns)?.effect ?? .dangles
        // What goes is the pair; the objects in it stay.
        return arePairs && effect == .deletes ? .leaves : effect
    }

    // MARK: The other direction

    /// Whoever is referred to shows by whom, also where no property of its class says so.
    func addReferrers(to classes: inout [StoredClass]) {
        let known = Set(
            classes.flatMap(\.relationships).compactMap { relationship -> [String]? in
                if case .foreignKey(let columns, let holder) = relationship.storage { [holder] + columns } else { nil }
            })
        for holder in classes {
            for property in holder.properties where !known.contains([holder.name] + property.columns) {
                guard let place = classes.firstIndex(where: { $0.name == property.destination }) else { continue }
                classes[place].relationships.append(
                    StoredRelationship(
                        name: "\(holder.name).\(property.name)", destination: holder.name,
                        storage: .foreignKey(columns: property.columns, of: holder.name),
                        own: classes[place].key.named(property.columns), position: nil, isToOne: property.isUnique,
                        deleteRule: nil,
                        whenDeleted: whenDeleted(nil, property.columns, in: holder.table, arePairs: false)))
            }
        }
    }
}

extension StoredRelationship.Storage {
    fileprivate var isPairs: Bool { if case .pairs = self { true } else { false } }
}
