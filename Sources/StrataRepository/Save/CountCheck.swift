import StrataClient
import StrataModels

/// Checks in the database how many objects to-many relationships with limits have after a save.
///
/// What is in memory is not all there is: owners may be unloaded, and others write at the same time. So the owners that a save
/// touches are locked before it writes, which lets two writers pass one after the other only, and their objects are counted
/// after it.
struct CountCheck {
    private(set) var locks: [SaveStatement] = []
    private(set) var checks: [SaveStatement] = []

    init(_ context: SaveContext) throws {
        guard !context.mapping.limitedRelationships.isEmpty else { return }
        for relationship in context.mapping.limitedRelationships {
            let owners = Self.owners(of: relationship, context)
            guard !owners.isEmpty else { continue }
            try add(relationship, owners)
        }
    }

    // MARK: Who is concerned

    /// The keys of the objects whose number of targets may change.
    private static func owners(of relationship: RelationshipMapping, _ context: SaveContext) -> [RowKey] {
        var keys = Set<RowKey>()
        // Of a new object memory knows all, unless it stands for a row that was there.
        var new = Set<RowKey>()
        let slot = relationship.property.slot
        for model in models(context.inserted, relationship.owner) {
            let key = model._$state.key
            if context.rewriting.contains(key, of: relationship.owner) { keys.insert(key) } else { new.insert(key) }
        }
        for model in models(context.changed, relationship.owner) where model._$state.changedSlots.contains(slot) {
            keys.insert(model._$state.key)
        }
        if let inverse = relationship.inverse {
            for model in models(context.inserted, relationship.destination) { insertNow(inverse, of: model, &keys) }
            for model in models(context.changed, relationship.destination)
            where model._$state.changedSlots.contains(inverse.slot) {
                insertNow(inverse, of: model, &keys)
                insertBefore(inverse, of: model, &keys)
            }
            for model in models(context.deleted, relationship.destination) {
                insertNow(inverse, of: model, &keys)
                insertBefore(inverse, of: model, &keys)
            }
        }
        return keys.subtracting(new).filter { $0 != 0 && !context.isDeleted($0, of: relationship.owner) }
            .map { context.rewriting($0, of: relationship.owner) }.sorted()
    }

    private static func models(_ groups: ModelGroups, _ entity: EntityMapping) -> [any PersistentModel] {
        groups.groups.filter { $0.entity.descriptor.inherits(from: entity.descriptor) }.flatMap(\.models)
    }

    private static func insertNow(
        _ inverse: RelationshipProperty, of model: any PersistentModel, _ keys: inout Set<RowKey>
    ) {
        guard inverse.slot < type(of: model)._$descriptor.properties.count,
            let property = type(of: model)._$descriptor.relationship(at: inverse.slot)
        else { return }
        if property.isToOne {
            if let key = property.reference(of: model).key { keys.insert(key) }
        } else {
            for owner in property.objects(of: model) ?? [] { keys.insert(owner._$state.key) }
        }
    }

    private static func insertBefore(
        _ inverse: RelationshipProperty, of model: any PersistentModel, _ keys: inout Set<RowKey>
    ) {
        switch model._$state.original(at: inverse.slot) {
        case let original as OriginalReference: if let key = original.reference.key { keys.insert(key) }
        case let original as OriginalObjects: for owner in original.objects ?? [] { keys.insert(owner._$state.key) }
        default: break
        }
    }

    // MARK: Statements

    private mutating func add(_ relationship: RelationshipMapping, _ owners: [RowKey]) throws {
        let kind = relationship.owner.keyKind
        var parameters = PostgresParameters()
        try parameters.append(PostgresArray(owners, of: kind))
        let (table, key) = (relationship.owner.table.quoted, relationship.owner.key)
        locks.append(
            SaveStatement(
                kind: .lookup,
                text:
                    "SELECT 1 FROM \(table) WHERE \(key.isAmong("$1::\(kind.type.array)", of: "")) ORDER BY \(key.list(of: "")) FOR NO KEY UPDATE",
                parameters: parameters, name: "save: lock \(relationship.owner.table.name)"))
        let (from, _, other) = relationship.ends
        // In the row of a class that has no such column, nobody sees what stands there.
        let rows = relationship.columnHolder?.ownRows
        let ofClass = rows.map { " AND \($0.isMet(by: "t", parameter: 2))" } ?? ""
        let text =
            "SELECT (\(ServerRefusal.count.text(relationship, key: key.value(of: "o"), number: "c.n")))::bigint FROM \(table) AS o"
            + " CROSS JOIN LATERAL (SELECT count(*) AS n FROM \(from) WHERE \(relationship.isOwn(key.value(of: "o")))"
            + " AND \(other) IS NOT NULL\(ofClass)) AS c WHERE \(key.isAmong("$1::\(kind.type.array)", of: "o")) AND \(relationship.isOutsideLimits("c.n"))"
        if let rows { try parameters.append(rows.values) }
        checks.append(
            SaveStatement(
                kind: .lookup, text: text, parameters: parameters,
                name: "save: count \(relationship.property.qualifiedName)"))
    }
}

extension RelationshipMapping {
    /// A condition on a number of targets that is not allowed. A relationship that is optional and has nothing is nil, and then
    /// has no limits.
    func isOutsideLimits(_ number: String) -> String {
        let limits = property.metadata
        var condition = "\(number) < \(limits.minimumModelCount)"
        if limits.maximumModelCount > 0 { condition += " OR \(number) > \(limits.maximumModelCount)" }
        return property.isOptional ? "\(number) > 0 AND (\(condition))" : "(\(condition))"
    }

    /// Whether the own side's key is this value, in ``ends``: by the columns, which have an index.
    func isOwn(_ value: String) -> String {
        switch storage {
        case .foreignKey: owner.key.isEqual(to: value, of: "t")
        case .inverseForeignKey(_, let column): column.isEqual(to: value, of: "t")
        case .joinTable(_, let own, _): own.isEqual(to: value, of: "t")
        }
    }

    /// Whether the other side's key is this value, in ``ends``.
    func isOther(_ value: String) -> String {
        switch storage {
        case .foreignKey(let column): column.isEqual(to: value, of: "t")
        case .inverseForeignKey(let holder, _): holder.key.isEqual(to: value, of: "t")
        case .joinTable(_, _, let other): other.isEqual(to: value, of: "t")
        }
    }

    /// The table in which the relationship stands, with the columns of its own and the other side's keys.
    var ends: (from: String, own: String, other: String) {
        switch storage {
        case .foreignKey(let column):
            ("\(owner.table.quoted) AS t", owner.key.value(of: "t"), column.value(of: "t"))
        case .inverseForeignKey(let holder, let column):
            ("\(holder.table.quoted) AS t", column.value(of: "t"), holder.key.value(of: "t"))
        case .joinTable(let join, let own, let other):
            ("\(join.table.quoted) AS t", own.value(of: "t"), other.value(of: "t"))
        }
    }
}
