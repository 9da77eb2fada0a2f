import StrataClient
import StrataModels

/// Collects changes of relationships that no column of the objects themselves shows: rows of join tables, and foreign keys in
/// the other table that belong to a to-many relationship without an inverse.
///
/// Both sides of a many-to-many relationship record a change; each pair is written once.
struct LinkCollector {
    private struct Pair: Hashable {
        let first: RowKey
        let second: RowKey
    }

    private final class Changes {
        let relationship: RelationshipMapping
        var added: [Pair] = []
        var removed: [Pair] = []
        var knownAdded = Set<Pair>()
        var knownRemoved = Set<Pair>()
        /// How late owners claimed what does not know them.
        var ranks: [Pair: Int] = [:]

        init(_ relationship: RelationshipMapping) { self.relationship = relationship }

        /// What the keys of its pairs are.
        var kinds: (first: RowKey.Kind, second: RowKey.Kind) {
            if case .joinTable(let join, _, _) = relationship.storage {
                (join.first.keyKind, join.second.keyKind)
            } else {
                (relationship.destination.keyKind, relationship.owner.keyKind)
            }
        }

        func add(_ pair: Pair) { if knownAdded.insert(pair).inserted { added.append(pair) } }
        func remove(_ pair: Pair) { if knownRemoved.insert(pair).inserted { removed.append(pair) } }
    }

    private let context: SaveContext
    private var joins: [TableName: Changes] = [:]
    private var hidden: [ObjectIdentifier: Changes] = [:]
    /// Foreign keys of deleted objects that were changed before: their rows still hold the old ones.
    private var cut: [ObjectIdentifier: Changes] = [:]

    init(_ context: SaveContext) {
        self.context = context
    }

    /// New objects: all their objects are new at the other end.
    ///
    /// Of those that are ignored, only what the objects at the other end say too.
    mutating func add(inserted: ModelGroups) {
        for group in inserted.groups {
            for (relationship, property) in Self.links(of: group.entity) {
                for model in group.models where relationship.inverse != nil || !context.isIgnored(model) {
                    for target in property.objects(of: model) ?? [] {
                        record(target, of: model, relationship, isAdded: true)
                    }
                }
            }
        }
    }

    /// Changed objects: the difference to what they had.
    mutating func add(changed: ModelGroups) {
        for group in changed.groups {
            for (relationship, property) in Self.links(of: group.entity) {
                for model in group.models where model._$state.changedSlots.contains(property.slot) {
                    addDifference(of: model, relationship, property)
                }
            }
        }
    }

    /// Deleted objects: what they gave up before is taken from them, so that their delete rules do not reach it.
    mutating func add(deleted: ModelGroups) {
        for group in deleted.groups {
            for (relationship, property) in Self.links(of: group.entity) where Self.reaches(property) {
                for model in group.models where model._$state.changedSlots.contains(property.slot) {
                    addDifference(of: model, relationship, property)
                }
            }
            for relationship in group.entity.relationships {
                guard let relationship, case .foreignKey = relationship.storage,
                    Self.reaches(relationship.property)
                else { continue }
                for model in group.models where model._$state.changedSlots.contains(relationship.property.slot) {
                    let id = ObjectIdentifier(relationship)
                    let changes = cut[id] ?? Changes(relationship)
                    cut[id] = changes
                    changes.remove(Pair(first: model._$state.key, second: 0))
                }
            }
        }
    }

    /// Whether a delete rule looks at the objects at the other end.
    private static func reaches(_ property: RelationshipProperty) -> Bool {
        property.deleteRule == .cascade || property.deleteRule == .deny
    }

    private mutating func addDifference(
        of model: any PersistentModel, _ relationship: RelationshipMapping, _ property: RelationshipProperty
    ) {
        guard let current = property.objects(of: model) else { return }
        let original = model._$state.original(at: property.slot) as? OriginalObjects
        let old = original?.objects ?? []
        // What is softly deleted keeps its links, although the end does not show it.
        let kept = Set(
            (original?.leftOut ?? []).lazy.filter { !$0._$state.isDeleted }.map { ObjectIdentifier($0) })
        let before = Set(old.map { ObjectIdentifier($0) })
        let after = Set(current.map { ObjectIdentifier($0) })
        for target in old where !after.contains(ObjectIdentifier(target)) && !kept.contains(ObjectIdentifier(target)) {
            record(target, of: model, relationship, isAdded: false)
        }
        for target in current where !before.contains(ObjectIdentifier(target)) {
            record(target, of: model, relationship, isAdded: true)
        }
    }

    /// The relationships of a class that have no column in its tables, with the class's own property.
    private static func links(
        of entity: EntityMapping
    ) -> [(relationship: RelationshipMapping, property: RelationshipProperty)] {
        entity.relationships.compactMap { relationship in
            guard let relationship,
                let property = entity.descriptor.relationship(at: relationship.property.slot)
            else { return nil }
            switch relationship.storage {
            case .joinTable: return (relationship, property)
            case .inverseForeignKey: return relationship.isHidden ? (relationship, property) : nil
            case .foreignKey: return nil
            }
        }
    }

    private mutating func record(
        _ target: any PersistentModel, of owner: any PersistentModel, _ relationship: RelationshipMapping, isAdded: Bool
    ) {
        if context.isDeleted(target) || context.isDeleted(owner) {
            // What is deleted takes its links along; those it had given up must not lead its rules on.
            let rules = [relationship.property.deleteRule, relationship.inverse?.deleteRule]
            guard !isAdded, rules.contains(.cascade) || rules.contains(.deny) else { return }
        }
        let own = context.rewriting(owner._$state.key, of: relationship.owner)
        let other = context.rewriting(target._$state.key, of: relationship.destination)
        // What has no key yet is no row: a save has refused it, and a fetch does not see it.
        guard own != 0, other != 0 else { return }
        let changes: Changes
        let pair: Pair
        if case .joinTable(let table, let ownKey, _) = relationship.storage {
            changes = joins[table.table] ?? Changes(relationship)
            joins[table.table] = changes
            pair = ownKey == table.firstKey ? Pair(first: own, second: other) : Pair(first: other, second: own)
        } else {
            let id = ObjectIdentifier(relationship)
            changes = hidden[id] ?? Changes(relationship)
            hidden[id] = changes
            pair = Pair(first: other, second: own)
            if isAdded { changes.ranks[pair] = context.claims.rank(of: owner, on: target) }
        }
        if isAdded { changes.add(pair) } else { changes.remove(pair) }
    }

    /// One owner for each target: the last that took it.
    private func lastOwners(_ changes: Changes) -> [Pair] {
        var last: [RowKey: Pair] = [:]
        for pair in changes.added {
            if let other = last[pair.first], (changes.ranks[pair] ?? 0) < (changes.ranks[other] ?? 0) { continue }
            last[pair.first] = pair
        }
        return changes.added.filter { last[$0.first] == $0 }
    }

    /// What goes to owners by relationships without an inverse.
    var taken: [TakenTarget] {
        hidden.values.flatMap { changes in
            lastOwners(changes).map {
                TakenTarget(relationship: changes.relationship, target: $0.first, owner: $0.second)
            }
        }
    }

    /// The deleted rows whose foreign keys no rule is to follow, by relationship: their objects had left these targets, and
    /// where they went is known in memory. What was given up must not go, and a required key cannot be cleared before.
    var left: [ObjectIdentifier: [RowKey]] { cut.mapValues { $0.removed.map(\.first) } }

    // MARK: Statements

    /// What is taken apart. Before the rest: what moves from one owner to another is taken from the one before it is given to
    /// the other, and delete rules follow what is left.
    func removals() throws -> [SaveStatement] {
        try Self.inOrder(joins.values).compactMap { try join($0, isAdded: false) }
            + Self.inOrder(hidden.values).compactMap { try column($0, isAdded: false) }
    }

    /// What is put together: after the inserts.
    func additions() throws -> [SaveStatement] {
        try Self.inOrder(hidden.values).compactMap { try column($0, isAdded: true) }
            + Self.inOrder(joins.values).compactMap { try join($0, isAdded: true) }
    }

    private static func inOrder(_ changes: some Sequence<Changes>) -> [Changes] {
        changes.sorted { $0.relationship.property.qualifiedName < $1.relationship.property.qualifiedName }
    }

    private func join(_ changes: Changes, isAdded: Bool) throws -> SaveStatement? {
        guard case .joinTable(let table, _, _) = changes.relationship.storage else { return nil }
        let (first, second) = (table.firstKey, table.secondKey)
        let kinds = changes.kinds
        let source = "unnest($1::\(kinds.first.type.array), $2::\(kinds.second.type.array)) AS u(a, b)"
        guard isAdded else {
            let text =
                "DELETE FROM \(table.table.quoted) AS t USING \(source) WHERE \(first.isEqual(to: "u.a", of: "t")) AND \(second.isEqual(to: "u.b", of: "t"))"
            return try statement(text, changes, isAdded: false)
        }
        let orders = context.mapping.joinTables.first { $0.table == table.table }?.orders ?? []
        let positions = orders.map { ", " + SQLFragment.quoted($0.position.name) }.joined()
        let values = orders.indices.map { ", u.p\($0)" }.joined()
        let types = [kinds.first.type, kinds.second.type] + orders.map { _ in .int8 }
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1.array)" }.joined(separator: ", ")
        let aliases = (["a", "b"] + orders.indices.map { "p\($0)" }).joined(separator: ", ")
        let text =
            "INSERT INTO \(table.table.target) (\(first.list(of: "")), \(second.list(of: ""))\(positions)) SELECT \(first.taken(apart: "u.a").text), \(second.taken(apart: "u.b").text)\(values)"
            + " FROM unnest(\(arrays)) AS u(\(aliases)) ON CONFLICT DO NOTHING"
        guard var statement = try statement(text, changes, isAdded: true) else { return nil }
        for order in orders {
            let isFirst = order.owner == table.firstKey
            try statement.parameters.append(
                array(of: changes.added, in: order) { isFirst ? ($0.first, $0.second) : ($0.second, $0.first) })
        }
        return statement
    }

    private func array(
        of pairs: [Pair], in order: ListOrder, _ ends: (Pair) -> (owner: RowKey, target: RowKey)
    ) throws -> PostgresArray {
        var array = PostgresArray(elementType: .int8, reservingCapacity: pairs.count)
        for pair in pairs {
            let (owner, target) = ends(pair)
            if let position = context.positions.position(of: target, owner: owner, in: order) {
                try array.append(position)
            } else {
                array.appendNull()
            }
        }
        return array
    }

    private func column(_ changes: Changes, isAdded: Bool) throws -> SaveStatement? {
        guard case .inverseForeignKey(let holder, let column) = changes.relationship.storage else { return nil }
        let kinds = changes.kinds
        // A row that others have made one of another class has no such column.
        let ofClass = holder.ownRows.map { " AND \($0.isMet(by: "t", parameter: 3))" } ?? ""
        let source =
            "FROM unnest($1::\(kinds.first.type.array), $2::\(kinds.second.type.array)) AS u(pk, owner) WHERE \(holder.key.isEqual(to: "u.pk", of: "t"))\(ofClass)"
        guard isAdded else {
            let text =
                "UPDATE \(holder.table.quoted) AS t SET \(column.emptied) \(source) AND \(column.isEqual(to: "u.owner", of: "t"))"
            return try statement(text, changes, isAdded: false)
        }
        let assignments = column.assignments("u.owner").map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        let update = "UPDATE \(holder.table.quoted) AS t SET \(assignments) \(source)"
        return try statement(
            UpdateStatement.failing(update, of: holder, count: "cardinality($1)"), changes, isAdded: true)
    }

    private func statement(_ text: String, _ changes: Changes, isAdded: Bool) throws -> SaveStatement? {
        var holder: EntityMapping?
        if case .inverseForeignKey(let destination, _) = changes.relationship.storage { holder = destination }
        let isHidden = holder != nil
        let pairs =
            isAdded
            ? (isHidden ? lastOwners(changes) : changes.added)
            : changes.removed.filter { !changes.knownAdded.contains($0) }
        guard !pairs.isEmpty else { return nil }
        let kinds = changes.kinds
        var parameters = PostgresParameters()
        try parameters.append(PostgresArray(pairs.map(\.first), of: kinds.first))
        try parameters.append(PostgresArray(pairs.map(\.second), of: kinds.second))
        if let rows = holder?.ownRows { try parameters.append(rows.values) }
        return SaveStatement(
            kind: .link(changes.relationship), text: text, parameters: parameters,
            name: "save: \(isAdded ? "link" : "unlink") \(changes.relationship.property.qualifiedName)")
    }
}

extension LinkCollector {
    /// The join tables that change.
    var joinTables: [TableName] { Array(joins.keys) }

    /// Which pairs of keys come into a join table, and which leave it.
    func pairs(in table: TableName) -> (added: [(RowKey, RowKey)], removed: [(RowKey, RowKey)]) {
        guard let changes = joins[table] else { return ([], []) }
        let removed = changes.removed.filter { !changes.knownAdded.contains($0) }
        return (changes.added.map { ($0.first, $0.second) }, removed.map { ($0.first, $0.second) })
    }

    /// What happens to foreign keys: by the index of the class that stands for their table, the row's key, and column.
    var foreignKeyChanges: [Int: [RowKey: [String: ForeignKeyChange]]] {
        var result: [Int: [RowKey: [String: ForeignKeyChange]]] = [:]
        for changes in cut.values {
            guard case .foreignKey(let column) = changes.relationship.storage else { continue }
            for pair in changes.removed {
                result[changes.relationship.owner.base.index, default: [:]][pair.first, default: [:]][column.name] =
                    ForeignKeyChange(kind: .clears, owner: nil)
            }
        }
        for changes in hidden.values {
            guard case .inverseForeignKey(let holder, let column) = changes.relationship.storage else { continue }
            for pair in changes.removed where !changes.knownAdded.contains(pair) {
                result[holder.base.index, default: [:]][pair.first, default: [:]][column.name] =
                    ForeignKeyChange(kind: .leaves, owner: pair.second)
            }
            for pair in lastOwners(changes) {
                result[holder.base.index, default: [:]][pair.first, default: [:]][column.name] =
                    ForeignKeyChange(kind: .joins, owner: pair.second)
            }
        }
        return result
    }
}
