import StrataClient
import StrataModels

extension SQLStatement {
    /// The query of a view, with the names that classes and properties have in a store.
    ///
    /// Throws `invalidSchema` for what a view cannot have.
    func viewQuery(in mapping: StoreMapping) throws(SwiftDataError) -> [ViewDefinition.Part] {
        var query = ViewQuery(mapping)
        for piece in pieces { try query.add(piece) }
        return query.parts
    }

    /// The columns of a class that the query names its results by: the slots of properties, and whether there is the key.
    func columnsNamed(of descriptor: ModelDescriptor) -> (slots: Set<Int>, hasKey: Bool) {
        var slots: Set<Int> = []
        var hasKey = false
        for piece in pieces {
            switch piece {
            case .column(let owner, let slot, .alone) where owner === descriptor: slots.insert(slot)
            case .key(let owner, .alone) where owner === descriptor: hasKey = true
            default: break
            }
        }
        return (slots, hasKey)
    }

    /// The property that the query gives a class as its key, where it gives no more than a property.
    func propertyGivenAsKey(of descriptor: ModelDescriptor) -> (owner: ModelDescriptor, slot: Int)? {
        let place = pieces.firstIndex { piece in
            if case .key(let owner, .alone) = piece { owner === descriptor } else { false }
        }
        guard let place, place > 1, case .column(let owner, let slot, let naming) = pieces[place - 2],
            case .sql(let between) = pieces[place - 1],
            between.text.filter({ !$0.isWhitespace }).uppercased() == "AS"
        else { return nil }
        if case .alone = naming { return nil }
        return (owner, slot)
    }
}

/// Puts the query of a view together: relations apart from the text around them.
private struct ViewQuery {
    private(set) var parts: [ViewDefinition.Part] = []
    private let mapping: StoreMapping

    init(_ mapping: StoreMapping) { self.mapping = mapping }

    mutating func add(_ piece: SQLStatement.Piece) throws(SwiftDataError) {
        switch piece {
        case .sql(let fragment): add(try constant(fragment))
        case .tables(let descriptor, let alias):
            let entity = try entity(descriptor)
            addTables(of: entity)
            let name = alias ?? (entity.ownRows == nil ? nil : entity.table.name)
            if let name { add(" AS " + SQLFragment.quoted(name)) }
        case .ownTable(let descriptor): add(try entity(descriptor).table)
        case .column(let descriptor, let slot, let naming):
            let entity = try entity(descriptor)
            guard let column = entity.queriedColumn(slot) else {
                throw Self.refusal("names \(descriptor.properties[slot].qualifiedName), which has no column of its own")
            }
            if let foreignKey = column.foreignKey, !foreignKey.key.isSingle {
                throw Self.refusal(
                    "names \(descriptor.properties[slot].qualifiedName), which leads to a key of parts; name its columns as SQL: \(foreignKey.key.description)"
                )
            }
            add(Self.name(column.tableNames[0], in: entity.owner(ofSlot: slot), naming))
        case .key(let descriptor, let naming):
            let entity = try entity(descriptor)
            guard entity.key.isSingle else {
                throw Self.refusal("names the key of \(entity.name), which is of parts; name these")
            }
            add(Self.name(entity.key.first, in: entity, naming))
        case .link(let descriptor, let slot, let part):
            guard case .joinTable(let join, let own, let other)? = try entity(descriptor).relationships[slot]?.storage
            else {
                throw Self.refusal(
                    "names the table of pairs of \(descriptor.properties[slot].qualifiedName), which has none")
            }
            switch part {
            case .table: add(join.table)
            case .ownKey: add(try Self.name(own, in: join, descriptor.properties[slot]))
            case .otherKey: add(try Self.name(other, in: join, descriptor.properties[slot]))
            }
        case .identifiers:
            throw Self.refusal("has the identifier of an object, and a view is the same in every database")
        case .part(let descriptor, let property, let part, let naming):
            let entity = try entity(descriptor)
            guard let column = entity.queriedColumn(property.slot) else {
                throw Self.refusal("names \(property.qualifiedName), which has no column of its own")
            }
            let name = Self.name(column.name, in: entity.owner(ofSlot: property.slot), naming)
            add(try constant(part.value(in: "\(raw: name)", of: property)))
        case .refused(let named, _): throw Self.refusal("names \(named)")
        }
    }

    private mutating func add(_ text: String) {
        if case .sql(let before)? = parts.last {
            parts[parts.count - 1] = .sql(before + text)
        } else if !text.isEmpty {
            parts.append(.sql(text))
        }
    }

    private mutating func add(_ table: TableName) { parts.append(.relation(table.name)) }

    /// A row of a subclass is one row in the table of each class above it, all with the same key; or it is one of the rows of the root's table.
    private mutating func addTables(of entity: EntityMapping) {
        if let ownRows = entity.ownRows {
            add("(SELECT * FROM ")
            add(entity.table)
            let values = ownRows.values.map(SQLFragment.literal).joined(separator: ", ")
            return add(" WHERE \(SQLFragment.quoted(ownRows.column)) IN (\(values)))")
        }
        guard entity.parent != nil else { return add(entity.table) }
        let chain = entity.chain
        add("(")
        add(chain[0].table)
        for level in chain.dropFirst() {
            add(" JOIN ")
            add(level.table)
            add(" USING (\(level.key.list(of: "")))")
        }
        add(")")
    }

    private func entity(_ descriptor: ModelDescriptor) throws(SwiftDataError) -> EntityMapping {
        guard let entity = mapping.entity(for: descriptor) else {
            throw Self.refusal("names \(descriptor.entityName), which is not in the same store")
        }
        return entity
    }

    private func constant(_ fragment: SQLFragment) throws(SwiftDataError) -> String {
        do {
            if let text = try fragment.constantText() { return text }
        } catch { throw Self.refusal("has a value that the database cannot hold: \(error.message)") }
        throw Self.refusal("has a value of a type that SQL has no constant for; write it as SQL")
    }

    private static func name(
        _ column: String, in owner: EntityMapping, _ naming: SQLStatement.Naming
    ) -> String {
        switch naming {
        case .withTable: SQLFragment.quoted(owner.table.name) + "." + SQLFragment.quoted(column)
        case .of(let alias): SQLFragment.quoted(alias) + "." + SQLFragment.quoted(column)
        case .alone: SQLFragment.quoted(column)
        }
    }

    private static func name(
        _ key: KeyColumns, in join: JoinTable, _ property: any ModelProperty
    ) throws(SwiftDataError) -> String {
        guard key.isSingle else {
            throw refusal(
                "names a key in the table of pairs of \(property.qualifiedName), which has several columns; name them as SQL: \(key.description)"
            )
        }
        return SQLFragment.quoted(join.table.name) + "." + SQLFragment.quoted(key.first)
    }

    private static func refusal(_ problem: String) -> SwiftDataError { SwiftDataError(.invalidSchema, problem) }
}
