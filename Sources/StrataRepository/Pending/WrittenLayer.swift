import StrataClient
import StrataModels

/// What a save inserts, updates and links, as queries.
///
/// The rows of a table come in three kinds: those that stay as they are, with all the table's indexes at hand; those with
/// changed columns, found by their keys; and new ones, made of parameters.
final class WrittenLayer: PendingLayer {
    private(set) var context: SaveContext
    /// New objects that take over rows, with the rows' keys.
    private var takenOver: [(model: any PersistentModel, key: RowKey)] = []
    private var links: LinkCollector
    private var cells: [Int: [RowKey: [String: ForeignKeyChange]]]
    private var touched = Set<OverlaidTable>()
    private var mapping: StoreMapping { context.mapping }

    init(_ context: SaveContext) {
        self.context = context
        links = Self.links(context)
        cells = links.foreignKeyChanges
        touched = Set(cells.keys.map(OverlaidTable.entity) + links.joinTables.map(OverlaidTable.join))
        for group in context.inserted.groups { touched.formUnion(group.entity.layers.map { .entity($0.base.index) }) }
        if let change = context.classChange { touched.formUnion(Self.tables(of: change)) }
        for group in context.changed.groups {
            var slots = SlotSet()
            for model in group.models { slots.formUnion(model._$state.changedSlots) }
            for slot in slots.slots where slot < group.entity.columns.count && group.entity.columns[slot] != nil {
                touched.insert(.entity(group.entity.owner(ofSlot: slot).base.index))
            }
        }
    }

    /// The tables in which an object stands that changes its class.
    private static func tables(of change: ClassChangePlan) -> [OverlaidTable] {
        ([change.new.root] + change.leftTables + change.enteredTables).map { .entity($0.index) }
    }

    private static func links(_ context: SaveContext) -> LinkCollector {
        var links = LinkCollector(context)
        links.add(inserted: context.inserted)
        links.add(changed: context.changed)
        links.add(deleted: context.deleted)
        return links
    }

    var isEmpty: Bool { touched.isEmpty }

    func touches(_ table: OverlaidTable) -> Bool { touched.contains(table) }

    func common(over below: PendingView) -> (query: SQLFragment, isRecursive: Bool)? { nil }

    func rows(of request: TableRequest, over below: PendingView) throws -> SQLFragment {
        switch request.table {
        case .entity(let index): try rows(of: mapping.entities[index], request, AliasGenerator(below))
        case .join(let name): try pairs(in: name, AliasGenerator(below))
        }
    }

    // MARK: Rows that new objects take over

    /// Whether new objects have unique values, and rows with the same might show in these tables.
    func mayTakeRows(of tables: some Sequence<OverlaidTable>) -> Bool {
        guard context.uniquePolicy != .fail else { return false }
        let roots = Set(context.inserted.groups.filter { !$0.entity.uniqueSets.isEmpty }.map(\.entity.root.index))
        return !roots.isEmpty && tables.contains { mapping.refers($0, to: roots) }
    }

    func resolve(_ resolution: UniqueResolution) {
        guard !resolution.rewriting.isEmpty else { return }
        context.rewriting = resolution.rewriting
        takenOver = resolution.rekeyed
        links = Self.links(context)
        cells = links.foreignKeyChanges
    }

    var replacements: [Int: [RowKey: any PersistentModel]] {
        var result: [Int: [RowKey: any PersistentModel]] = [:]
        for (model, key) in takenOver {
            guard let root = mapping.entity(for: type(of: model))?.root else { continue }
            result[root.index, default: [:]][key] = model
        }
        // Its row has nothing of what it holds yet.
        if let change = context.classChange {
            result[change.new.root.index, default: [:]][change.model._$state.key] = change.model
        }
        return result
    }

    // MARK: Tables of classes

    /// What rows have in common whose columns are changed.
    private struct Shape: Hashable {
        /// The class as which the row is written, by its index.
        var owner: Int
        var slots = SlotSet()
        var foreignKeys: [String: ForeignKeyChange.Kind] = [:]
        /// The class that the row becomes one of.
        var discriminator: String?
        /// The columns that it has no values for any more.
        var cleared: [String] = []

        /// The same shapes come in the same order, so that the statement has the same text.
        var rank: String {
            "\(owner) \(slots.slots) \(foreignKeys.map { "\($0.key) \($0.value)" }.sorted()) \(discriminator ?? "")"
        }
    }

    private struct Change {
        var shape: Shape
        var model: (any PersistentModel)?
    }

    /// The class as which an object is written in the table for which a class stands.
    private func owner(of model: any PersistentModel, in entity: EntityMapping) -> EntityMapping {
        mapping.entity(for: type(of: model))?.layer(in: entity) ?? entity
    }

    private func rows(of entity: EntityMapping, _ request: TableRequest, _ below: AliasGenerator) throws -> SQLFragment
    {
        let new = newObjects(of: entity)
        let changes = changes(in: entity, Set(request.compared), besides: Set(new.map(\.key)))
        var keys = changes.keys.sorted() + new.map(\.key)
        if let change = context.classChange, change.leftTables.contains(where: { $0 === entity }) {
            keys.append(change.model._$state.key)
        }
        let item = below.item(entity)
        let stored = request.compared.map { entity.asRead(below.column($0, of: entity, in: "t"), named: $0) }
        let shown = request.shown.map { entity.asRead(below.shownColumn($0, of: entity, in: "t"), named: $0) }
        let key = entity.key
        let unchanged = (key.columns(of: "t") + stored + shown).joined(separator: ", ")
        guard !keys.isEmpty else { return "SELECT \(unchanged) FROM \(item) AS t" }
        // Nothing but a table: PostgreSQL then has the table's indexes for predicate, order and limit.
        var arms: [SQLFragment] = ["SELECT \(unchanged), TRUE FROM \(item) AS t"]

        let groups = Dictionary(grouping: changes.keys) { changes[$0]?.shape ?? Shape(owner: entity.index) }
        for (shape, keys) in groups.sorted(by: { $0.key.rank < $1.key.rank }) {
            let owner = mapping.entities[shape.owner]
            let names = shape.foreignKeys.keys.sorted()
            let rows = PendingRows(
                shape.slots.slots, of: owner, others: names.map(entity.columnType), rewriting: context.rewriting)
            for key in keys.sorted() {
                try rows.add(changes[key]?.model, key: key)
                for (index, name) in names.enumerated() {
                    try rows.append(cells[entity.index]?[key]?[name]?.owner, other: index)
                }
            }
            let values = zip(request.compared, stored).map { name, stored -> SQLFragment in
                if let index = names.firstIndex(of: name), let kind = shape.foreignKeys[name] {
                    let key = rows.value(ofOther: index)
                    return kind == .leaves ? "CASE WHEN \(stored) = \(key) THEN NULL ELSE \(stored) END" : key
                }
                if shape.cleared.contains(name) { return "NULL" }
                if entity.isClassColumn(name), let discriminator = shape.discriminator {
                    return "\(bind: discriminator) COLLATE \"C\""
                }
                return owner.slot(ofColumn: name).flatMap { rows.value(of: $0) } ?? stored
            }
            let columns = (key.columns(of: "t") + values + shown).joined(separator: ", ")
            arms.append(
                "SELECT \(columns), FALSE FROM \(rows.source) JOIN \(item) AS t ON \(key.isEqual(to: "u.pk", of: "t"))")
        }
        let owners = Dictionary(grouping: new) { owner(of: $0.model, in: entity).index }
        for (owner, objects) in owners.sorted(by: { $0.key < $1.key }) {
            arms.append(try newRows(objects, of: mapping.entities[owner], request, stored, item))
        }
        let columns =
            key.carried.columns() + (0..<stored.count + shown.count).map { "c\(raw: String($0))" as SQLFragment }
        return
            "SELECT \(columns.map { "s.\($0)" as SQLFragment }.joined(separator: ", ")) FROM (\(arms.joined(separator: " UNION ALL "))) AS s(\(columns.joined(separator: ", ")), stored) WHERE \(isNotStored(keys, of: entity))"
    }

    /// Which rows are not stored ones with one of these keys.
    private func isNotStored(_ keys: [RowKey], of entity: EntityMapping) -> SQLFragment {
        // An array is the quickest to look into while it is short, and leaves rows in the order of an index.
        guard keys.count <= 100 else {
            return
                "NOT EXISTS (SELECT FROM \(unnested(keys, of: entity.keyKind, as: "x(pk)")) WHERE s.stored AND x.pk = \(entity.key.carried.value(of: "s")))"
        }
        return "NOT (s.stored AND \(entity.key.carried.isAmong(keys, of: "s", gap: " ")))"
    }

    /// The changes of rows by key, as far as they touch columns that are compared.
    ///
    /// - Parameter new: rows of which new objects write every column.
    private func changes(
        in entity: EntityMapping, _ compared: Set<String>, besides new: Set<RowKey>
    ) -> [RowKey: Change] {
        var changes: [RowKey: Change] = [:]
        func slots(of owner: EntityMapping) -> SlotSet {
            SlotSet(
                owner.tableSlots.filter { slot in owner.columns[slot].map { compared.contains($0.name) } ?? false })
        }
        for group in context.changed.groups where group.entity.descriptor.inherits(from: entity.descriptor) {
            let owner = group.entity.layer(in: entity)
            let slots = slots(of: owner)
            for model in group.models where !new.contains(model._$state.key) {
                let changed = model._$state.changedSlots.intersection(slots)
                if !changed.isEmpty {
                    changes[model._$state.key] = Change(
                        shape: Shape(owner: owner.index, slots: changed), model: model)
                }
            }
        }
        if let change = context.classChange, entity === change.new.root {
            let owner = owner(of: change.model, in: entity)
            let entered = change.slots.intersection(slots(of: owner))
            let cleared = change.cleared.map(\.name).filter(compared.contains)
            let changesClass = entity.classColumn.map(compared.contains) ?? false
            if changesClass || !entered.isEmpty || !cleared.isEmpty {
                var written = changes[change.model._$state.key] ?? Change(shape: Shape(owner: owner.index))
                if changesClass { written.shape.discriminator = change.new.discriminator }
                written.shape.slots.formUnion(entered)
                written.shape.cleared = cleared
                if !entered.isEmpty { written.model = change.model }
                changes[change.model._$state.key] = written
            }
        }
        for (key, foreignKeys) in cells[entity.index] ?? [:] where !new.contains(key) {
            for (name, change) in foreignKeys where compared.contains(name) {
                changes[key, default: Change(shape: Shape(owner: entity.index))].shape.foreignKeys[name] = change.kind
            }
        }
        return changes
    }

    /// The new rows of a class's table.
    private func newObjects(of entity: EntityMapping) -> [(model: any PersistentModel, key: RowKey)] {
        let rewriting = context.rewriting
        var result = context.inserted.groups.filter { $0.entity.descriptor.inherits(from: entity.descriptor) }
            .flatMap { group in group.models.map { (model: $0, key: $0._$state.key) } }
            .filter { $0.key != 0 && !rewriting.contains($0.key, of: entity) }
        if context.uniquePolicy.writesRows {
            result += takenOver.filter { type(of: $0.model)._$descriptor.inherits(from: entity.descriptor) }
        }
        if let change = context.classChange, change.enteredTables.contains(where: { $0 === entity }) {
            result.append((change.model, change.model._$state.key))
        }
        return result.sorted { $0.key < $1.key }
    }

    private func newRows(
        _ objects: [(model: any PersistentModel, key: RowKey)], of entity: EntityMapping, _ request: TableRequest,
        _ stored: [SQLFragment], _ item: SQLFragment
    ) throws -> SQLFragment {
        let slots = request.compared.compactMap { entity.slot(ofColumn: $0) }.sorted()
        // The class, columns of other classes, or foreign keys that belong to the objects at the other end.
        let others = request.compared.filter { entity.slot(ofColumn: $0) == nil }
        let rows = PendingRows(
            slots, of: entity, others: others.map { entity.isClassColumn($0) ? .text : entity.columnType(named: $0) },
            rewriting: context.rewriting)
        for (model, key) in objects {
            try rows.add(model, key: key)
            for (index, name) in others.enumerated() {
                if entity.isClassColumn(name) {
                    try rows.append(mapping.entity(for: type(of: model))?.discriminator, other: index)
                } else {
                    let change = cells[entity.base.index]?[key]?[name]
                    try rows.append(change?.kind == .joins ? change?.owner : nil, other: index)
                }
            }
        }
        var readsRows = false
        let values = zip(request.compared, stored).map { name, stored -> SQLFragment in
            guard let index = others.firstIndex(of: name) else {
                guard let slot = entity.slot(ofColumn: name), let value = rows.value(of: slot) else { return "NULL" }
                guard keepsColumn(slot, of: entity) else { return value }
                readsRows = true
                return "CASE WHEN \(entity.key.columns(of: "t")[0]) IS NULL THEN \(value) ELSE \(stored) END"
            }
            if entity.isClassColumn(name) { return "\(rows.value(ofOther: index)) COLLATE \"C\"" }
            // A row that is taken over keeps its place in the relationships of others.
            guard !takenOver.isEmpty else { return rows.value(ofOther: index) }
            readsRows = true
            return "coalesce(\(rows.value(ofOther: index)), \(stored))"
        }
        // Whoever is new is in memory, and shows itself.
        let shown = request.shown.map { name in
            "NULL::\(raw: entity.slot(ofColumn: name).flatMap { entity.columns[$0]?.typeWithCollation } ?? entity.columnType(named: name).description)"
                as SQLFragment
        }
        var sql: SQLFragment =
            "SELECT \(([entity.key.taken(apart: "u.pk")] + values + shown).joined(separator: ", ")), FALSE FROM \(rows.source)"
        if readsRows { sql.append(" LEFT JOIN \(item) AS t ON \(entity.key.isEqual(to: "u.pk", of: "t"))") }
        return sql
    }

    /// Whether rows of a class's table that new objects take over keep what they have in a column.
    private func keepsColumn(_ slot: Int, of entity: EntityMapping) -> Bool {
        takenOver.contains { model, _ in
            let descriptor = type(of: model)._$descriptor
            guard descriptor.inherits(from: entity.descriptor) else { return false }
            if descriptor.generatedSlots.contains(slot) { return true }
            return context.uniquePolicy.updatedSlots(of: descriptor)?.contains(slot) == false
        }
    }

    // MARK: Join tables

    private func pairs(in name: TableName, _ below: AliasGenerator) throws -> SQLFragment {
        guard let join = mapping.joinTables.first(where: { $0.table == name }) else { return "" }
        let (added, removed) = links.pairs(in: name)
        let (first, second) = (join.firstKey, join.secondKey)
        let left = unnested(removed + added, of: join, as: "x(a, b)")
        var sql: SQLFragment =
            "SELECT \(first.list(of: "t")), \(second.list(of: "t")) FROM \(below.item(join)) AS t WHERE NOT EXISTS (SELECT FROM \(left) WHERE x.a = \(first.value(of: "t")) AND x.b = \(second.value(of: "t")))"
        if !added.isEmpty {
            sql.append(
                " UNION ALL SELECT \(first.taken(apart: "u.a")), \(second.taken(apart: "u.b")) FROM \(unnested(added, of: join, as: "u(a, b)"))"
            )
        }
        return sql
    }
}

extension EntityMapping {
    /// The slot of a column that this class writes in its table; `nil` for columns of no property.
    func slot(ofColumn name: String) -> Int? {
        tableSlots.first { columns[$0]?.name == name }
    }
}

extension Column {
    /// `text COLLATE "C"`, `bigint`.
    fileprivate var typeWithCollation: String {
        type == .text ? "text COLLATE \"C\"" : type.description
    }
}
