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
                    references: table.foreignKey(of: column.name)?.referencedTable,
                    whenDeleted: table.foreignKey(of: column.name)?.effect)
            })
    }
}

extension TableDefinition {
    /// The foreign key of this column alone within the schema, if it has one.
    fileprivate func foreignKey(of column: String) -> ForeignKeyDefinition? {
        foreignKeys.first { $0.columns == [column] && $0.referencedSchema == nil }
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
                    attribute.name, attribute.column, of: table, valueType: attribute.valueType,
                    cases: attribute.cases, isExternal: attribute.options.contains(.externalStorage))
            }
            let references = entity.relationships.compactMap { relationship -> StoredProperty? in
                // A key of several columns is not shown, nor what leads there.
                guard case .foreignKey(_, let column) = relationship.storage, relationship.columns == nil else {
                    return nil
                }
                return property(
                    relationship.name, column, of: table,
                    // What no key can be is shown as the value that it is.
                    destination: keyKind(column, in: table.name) != nil ? relationship.destination : nil,
                    deleteRule: relationship.deleteRule)
            }
            return storedClass(
                entity.name, parent: entity.parent, table,
                discriminator: isRootOfSeveral ? frozen.database.table(named: entity.table)?.classColumn : nil,
                values: [entity.discriminator],
                isAbstract: entity.isAbstract ?? false, properties: attributes + references,
                relationships: entity.relationships.compactMap { self.relationship($0, in: frozen) })
        }
    }

    private func relationship(_ relationship: FrozenRelationship, in frozen: FrozenSchema) -> StoredRelationship? {
        let storage: StoredRelationship.Storage
        let (links, own, kind): (String, String, RowKey.Kind)
        switch relationship.storage {
        case .foreignKey(let table, let column):
            // What its rule would do where nothing is shown, a deletion has to know.
            guard relationship.columns != nil, ["cascade", "deny"].contains(relationship.deleteRule),
                let keys = keyKind(column, in: table),
                let holder = frozen.entities.first(where: { $0.table == table })
            else { return nil }
            (storage, links, own, kind) = (.foreignKey(column: column, of: holder.name), table, column, keys)
        case .inverseForeignKey(let table, let column):
            guard let keys = keyKind(column, in: table),
                let holder = frozen.entities.first(where: { $0.table == table })
            else { return nil }
            (storage, links, own, kind) = (.foreignKey(column: column, of: holder.name), table, column, keys)
        case .joinTable(let table, let first, let other):
            guard let keys = keyKind(first, in: table), keyKind(other, in: table) != nil else { return nil }
            (storage, links, own, kind) = (.pairs(table: table, own: first, other: other), table, first, keys)
        }
        return StoredRelationship(
            name: relationship.name, destination: relationship.destination, storage: storage, keyKind: kind,
            position: relationship.position.flatMap { isNumber($0, in: links) ? $0 : nil },
            isToOne: relationship.isToOne, deleteRule: relationship.deleteRule,
            whenDeleted: whenDeleted(relationship.deleteRule, own, in: links, arePairs: storage.isPairs))
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
                        property.column.map { (property.name, $0, property.external) }
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
        return link.sides.filter { $0.entity == entity.name }.compactMap { side in
            guard let kind = keyKind(side.column, in: link.table) else { return nil }
            let storage: StoredRelationship.Storage
            let destination: String
            if let holder = names[link.table] {
                (storage, destination) = (.foreignKey(column: side.column, of: holder), holder)
            } else {
                guard
                    let other = table.foreignKeys.first(where: { $0.columns != [side.column] && $0.columns.count == 1 }
                    ), leadsToKey(other),
                    let target = names[other.referencedTable]
                else { return nil }
                storage = .pairs(table: link.table, own: side.column, other: other.columns[0])
                destination = target
            }
            return StoredRelationship(
                name: side.property, destination: destination, storage: storage, keyKind: kind, position: nil,
                isToOne: false, deleteRule: nil,
                whenDeleted: whenDeleted(nil, side.column, in: link.table, arePairs: storage.isPairs))
        }
    }

    func classesOfTables() -> [StoredClass] {
        let keyed = database.tables.filter { key(of: $0) != nil }
        let names = Dictionary(keyed.map { ($0.name, $0.name) }) { first, _ in first }
        return keyed.map { table in
            storedClass(
                table.name, parent: nil, table, discriminator: nil, values: [],
                properties: properties(
                    table.columns.filter { $0.name != key(of: table) }.map { ($0.name, $0.name, false) }, of: table,
                    names),
                relationships: [])
        }
    }

    // MARK: Parts

    private func storedClass(
        _ name: String, parent: String?, _ table: TableDefinition, discriminator: String?, values: [String],
        isAbstract: Bool = false, properties: [StoredProperty], relationships: [StoredRelationship]
    ) -> StoredClass {
        let keyColumn = key(of: table) ?? Naming.key
        let column = table.column(named: keyColumn)
        return StoredClass(
            name: name, parent: parent, table: table.name, keyColumn: keyColumn,
            keyKind: keyKind(keyColumn, in: table.name) ?? .integer,
            givesKeys: column.map { $0.identity != nil || $0.defaultExpression != nil } ?? true,
            discriminator: discriminator.flatMap { table.column(named: $0)?.name }, classValues: values,
            isAbstract: isAbstract, properties: properties, relationships: relationships,
            estimatedRows: estimates[table.name] ?? -1)
    }

    private func properties(
        _ list: [(name: String, column: String, isExternal: Bool)], of table: TableDefinition, _ names: [String: String]
    ) -> [StoredProperty] {
        // In the order of the columns: a description has its properties by name.
        let places = Dictionary(table.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
        return list.compactMap { item in
            let destination = table.foreignKey(of: item.column).flatMap {
                leadsToKey($0) ? names[$0.referencedTable] : nil
            }
            return property(item.name, item.column, of: table, isExternal: item.isExternal, destination: destination)
        }.sorted { places[$0.column] ?? 0 < places[$1.column] ?? 0 }
    }

    private func property(
        _ name: String, _ columnName: String, of table: TableDefinition, valueType: String? = nil,
        cases: [String]? = nil, isExternal: Bool = false, destination: String? = nil, deleteRule: String? = nil
    ) -> StoredProperty? {
        guard let column = table.column(named: columnName) else { return nil }
        // The key goes with its row: only the rules of models ask for more.
        let effects: [String: DeletionEffect] = ["cascade": .deletes, "deny": .forbids]
        return StoredProperty(
            name: name, column: column.name, type: column.type.description, valueType: valueType,
            isOptional: column.isNullable,
            hasDefault: column.defaultExpression != nil || column.identity != nil,
            isUnique: table.isUnique(column.name), isExternal: isExternal,
            isGenerated: column.isGenerated, cases: cases, destination: destination,
            whenDeleted: destination.map { _ in deleteRule.flatMap { effects[$0] } ?? .leaves })
    }

    /// Whether a table has a column of whole numbers of this name. What a description says is a key or a position may be of any type by now, and
    /// a cast from it somebody's function.
    private func isNumber(_ column: String, in table: String) -> Bool {
        database.table(named: table)?.column(named: column)?.type.isInteger ?? false
    }

    /// What keys in a column are; `nil` for a column that can have none.
    private func keyKind(_ column: String, in table: String) -> RowKey.Kind? {
        if isNumber(column, in: table) { return .integer }
        let type = database.table(named: table)?.column(named: column)?.type
        return type?.base == .uuid && type?.isList == false ? .uuid : nil
    }

    /// Whether it refers to objects by their keys: one that refers to another unique column leads to a value.
    private func leadsToKey(_ foreignKey: ForeignKeyDefinition) -> Bool {
        guard let key = database.table(named: foreignKey.referencedTable).flatMap({ key(of: $0) }) else { return false }
        return foreignKey.referencedColumns == [key]
    }

    /// A table whose objects have keys.
    private func keyedTable(_ name: String) -> TableDefinition? {
        database.table(named: name).flatMap { key(of: $0) == nil ? nil : $0 }
    }

    /// The one column of whole numbers or UUIDs that is the primary key.
    private func key(of table: TableDefinition) -> String? {
        guard let columns = table.primaryKey?.columns, columns.count == 1, keyKind(columns[0], in: table.name) != nil
        else { return nil }
        return columns[0]
    }

    /// What becomes of those at the other end when the object is deleted whose key is in a column. The rule says what takes or forbids; what
    /// else happens, and all of it where no rule is known, is up to the foreign key.
    private func whenDeleted(
        _ rule: String?, _ column: String, in table: String, arePairs: Bool
    ) -> DeletionEffect {
        if rule == "cascade" { return .deletes }
        if rule == "deny" { return .forbids }
        let effect = database.table(named: table)?.foreignKey(of: column)?.effect ?? .dangles
        // What goes is the pair; the objects in it stay.
        return arePairs && effect == .deletes ? .leaves : effect
    }

    // MARK: The other direction

    /// Whoever is referred to shows by whom, also where no property of its class says so.
    func addReferrers(to classes: inout [StoredClass]) {
        let known = Set(
            classes.flatMap(\.relationships).compactMap { relationship -> [String]? in
                if case .foreignKey(let column, let holder) = relationship.storage { [holder, column] } else { nil }
            })
        for holder in classes {
            for property in holder.properties where !known.contains([holder.name, property.column]) {
                guard let place = classes.firstIndex(where: { $0.name == property.destination }) else { continue }
                classes[place].relationships.append(
                    StoredRelationship(
                        name: "\(holder.name).\(property.name)", destination: holder.name,
                        storage: .foreignKey(column: property.column, of: holder.name),
                        keyKind: classes[place].keyKind, position: nil, isToOne: property.isUnique, deleteRule: nil,
                        whenDeleted: whenDeleted(nil, property.column, in: holder.table, arePairs: false)))
            }
        }
    }
}

extension StoredRelationship.Storage {
    fileprivate var isPairs: Bool { if case .pairs = self { true } else { false } }
}
