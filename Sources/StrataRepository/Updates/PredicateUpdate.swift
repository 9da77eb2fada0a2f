package import Foundation
package import StrataClient
package import StrataModels

/// An update of all rows that a predicate selects: which columns of which tables get what.
package final class PredicateUpdate {
    package let entity: EntityMapping
    /// The properties that are set.
    package let slots: SlotSet
    /// Rows that are left alone: their objects have unsaved changes and were changed in memory.
    private let excluded: Set<RowKey>
    private let rows: MatchingRows
    private let assignments: [Assignment]
    private let mapping: StoreMapping
    private let translator: PredicateTranslator
    /// What decides which rows are changed, and what they get.
    private let trace = DependencyTrace()

    /// - Parameters:
    ///   - updates: what is set; of a relationship the key of the object.
    ///   - excluded: the keys of rows that are left alone.
    ///
    /// Throws ``SwiftDataError`` for what cannot be translated, is set twice, or has no column of its own.
    package init<T: PersistentModel>(
        _ updates: [PropertyUpdate<T>], of entity: EntityMapping, where predicate: Predicate<T>?,
        includeSubclasses: Bool, includeDeleted: Bool = false, excluded: Set<RowKey>, mapping: StoreMapping,
        store: String
    ) throws {
        self.entity = entity
        self.mapping = mapping
        translator = PredicateTranslator(mapping: mapping, store: store)
        self.excluded = excluded
        rows = MatchingRows(
            of: entity, where: predicate, includeDeleted ? .stored : .present, includeSubclasses: includeSubclasses,
            mapping: mapping, store: store)
        var assignments: [Assignment] = []
        var slots = SlotSet()
        for update in updates {
            let assignment = try Assignment(update.target, update.source, of: entity, mapping, store)
            guard let known = assignments.firstIndex(where: { $0.slot == assignment.slot }) else {
                assignments.append(assignment)
                slots.insert(assignment.slot)
                continue
            }
            guard let both = assignments[known].with(assignment) else {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "An update of \(entity.name) by predicate sets \(assignment.column.propertyName) twice. Name each property once."
                )
            }
            assignments[known] = both
        }
        for slot in entity.descriptor.dates.modification.slots where !slots.contains(slot) {
            guard let date = Assignment(dateAt: slot, of: entity) else { continue }
            assignments.append(date)
            slots.insert(slot)
        }
        self.assignments = assignments
        self.slots = slots
        if !includeDeleted { trace.range(over: entity) }
        // What cannot be translated is refused now.
        _ = try matched(
            AliasGenerator(), PredicateTranslator(mapping: mapping, store: store, trace: trace))
    }

    /// The relationships that are set.
    package var relationships: [RelationshipMapping] { assignments.compactMap { entity.relationships[$0.slot] } }

    /// Whether words decide which rows are changed: no object in memory can be asked for them.
    package var asksForWords: Bool { trace.asksForWords }

    /// Whether a column of `owner` is set that is part of one of its unique sets.
    func sets(uniqueColumnOf owner: EntityMapping) -> Bool {
        owner.uniqueSets.contains { set in set.decidingSlots.contains { slots.contains($0) } }
    }

    /// The classes whose tables are written, in the order of the hierarchy.
    private var owners: [EntityMapping] {
        entity.layers.filter { owner in assignments.contains { $0.owner === owner } }
    }

    // MARK: Unsaved changes of other objects

    /// An unsaved change of another object that decides what the update does, which looks at stored rows: `Owner.name`; `nil` when
    /// there is none.
    package func obstacle(
        inserted: [any PersistentModel], changed: [any PersistentModel], deleted: [any PersistentModel]
    ) -> String? {
        guard !trace.related.isEmpty else { return nil }
        func name(_ model: any PersistentModel) -> String { type(of: model)._$descriptor.entityName }
        // An object that a row leads to by its own key was there before.
        if let new = inserted.first(where: { trace.collections.contains(name($0)) }) { return name(new) }
        if let gone = deleted.first(where: { trace.related.contains(name($0)) }) { return name(gone) }
        for model in changed where trace.related.contains(name(model)) {
            guard let entity = mapping.entity(for: type(of: model)) else { continue }
            for slot in model._$state.changedSlots.slots {
                let property = entity.descriptor.properties[slot]
                // The other end of a key is seen where the key is.
                guard entity.columns[slot] != nil || trace.collections.contains(entity.name) else { continue }
                if trace.properties[entity.name]?.contains(property.name) == true {
                    return "\(entity.name).\(property.name)"
                }
            }
        }
        return nil
    }

    /// A property that decides what the update does and that another one sets; `nil` when there is none.
    package func reads(setBy other: PredicateUpdate) -> String? {
        other.slots.slots.map { other.entity.descriptor.properties[$0] }.first { property in
            other.entity.root.family.contains { trace.properties[$0.name]?.contains(property.name) == true }
        }?.qualifiedName
    }

    /// Whether other objects that decide what the update does may be of this class's hierarchy.
    package func looksAtOthers(of entity: EntityMapping) -> Bool {
        entity.root.family.contains { trace.related.contains($0.name) }
    }

    /// Whether the update leaves the row of an object alone: it was changed in memory.
    package func excludes(_ key: RowKey) -> Bool { excluded.contains(key) }

    // MARK: For queries

    func sets(in entity: EntityMapping) -> Bool { assignments.contains { $0.owner.base === entity } }

    /// The position of the value of a column of an entity's table; `nil` where it stays.
    func position(ofColumn name: String, in entity: EntityMapping) -> Int? {
        assignments.firstIndex { $0.owner.base === entity && $0.column.name == name }
    }

    /// A query for the key of each row, then the value of each column that is set.
    func matches(_ aliases: AliasGenerator) throws -> SQLFragment {
        try matched(aliases).query
    }

    var valueNames: [String] { assignments.indices.map { "v\($0)" } }

    // MARK: The statement

    /// What is to be known of the rows that were changed.
    package enum Answer {
        /// How many there are.
        case count
        /// Which of these; of all where it is `nil`.
        case keys(among: [RowKey]?)
        /// Which, and of which class each is.
        case classes
    }

    /// The rows that were changed.
    package struct Outcome {
        package var count = 0
        package var keys: [RowKey] = []
        /// The classes of `keys`; empty where that was not asked.
        package var classes: [String] = []
    }

    package var statementName: String {
        "update \(entity.name) set \(assignments.map(\.column.name).joined(separator: ", "))"
    }

    /// Adds the statement.
    package func add(
        to batch: inout PostgresBatch, answer: Answer,
        onComplete: @escaping (Outcome) -> Void
    ) throws {
        var asksClass = false
        if case .classes = answer, entity.hasSeveralClasses { asksClass = true }
        let matched = try matched(AliasGenerator(), withClass: asksClass)
        for owner in matched.subclasses { batch.add(try lock(owner, matched)) }
        if case .count = answer, let direct = matched.direct {
            var outcome = Outcome()
            batch.add(
                try direct.statement(name: statementName, of: entity.name),
                onComplete: { count in
                    outcome.count = count
                    onComplete(outcome)
                })
            return
        }
        let sql = try statement(matched, answer, asksClass)
        batch.add(
            try sql.statement(name: statementName, of: entity.name),
            onRow: { [keyKind = entity.keyKind] row in
                var outcome = Outcome()
                outcome.count = Int(try row.decode(0, as: Int64.self))
                if row.columnCount > 1, let bytes = row.bytes(1) {
                    outcome.keys = try RowKey.list(bytes, of: keyKind)
                }
                if row.columnCount > 2 { outcome.classes = try row.decode(2, as: [String].self) }
                onComplete(outcome)
            })
    }

    /// Locks the rows of a subclass's table that decide. The table stands on the nullable side of a join, where no rows can be locked; so
    /// this goes before the update, which then sees what was waited for.
    private func lock(_ owner: EntityMapping, _ matched: MatchedRows) throws -> PostgresStatement {
        let key = owner.key
        let sql: SQLFragment = """
            WITH locked AS (SELECT FROM \(owner.table) AS s WHERE \(key.isIn(matched.keys, of: "s")) ORDER BY \(key.list(of: "s")) \
            FOR NO KEY UPDATE OF s) SELECT count(*) FROM locked
            """
        return try sql.statement(name: "lock rows of \(owner.table.name)")
    }

    private func statement(_ matched: MatchedRows, _ answer: Answer, _ asksClass: Bool) throws -> SQLFragment {
        let className: SQLFragment = asksClass ? ", class" : ""
        var sql: SQLFragment
        let changed: SQLFragment
        if let direct = matched.direct {
            changed = "updated"
            let returned: SQLFragment = matched.className.map { "\(matched.key), \($0)" } ?? matched.key
            sql = "WITH updated(pk\(className)) AS (\(direct) RETURNING \(returned))"
        } else {
            changed = "matched"
            let names = (["pk"] + (asksClass ? ["class"] : []) + valueNames).joined(separator: ", ")
            sql =
                "WITH matched(\(raw: names)) AS (\(matched.query) FOR NO KEY UPDATE OF \(matched.locked.joined(separator: ", ")))"
            for (index, owner) in owners.enumerated() {
                let set = assignments.enumerated().filter { $0.element.owner === owner }.flatMap {
                    position, assignment in
                    assignment.column.assigned(
                        owner.asWritten("m.v\(raw: String(position))", named: assignment.column.name))
                }
                sql.append(
                    ", updated\(raw: String(index)) AS (UPDATE \(owner.table) AS u SET \(set.joined(separator: ", ")) FROM matched AS m WHERE \(owner.key.isEqual(to: "m.pk", of: "u")))"
                )
            }
        }
        var columns: [SQLFragment] = ["count(*)"]
        switch answer {
        case .count: break
        case .keys(among: nil): columns.append("coalesce(array_agg(pk), '{}')")
        case .keys(among: let keys?):
            columns.append("coalesce(array_agg(pk) FILTER (WHERE \(isAmong("pk", keys, nil))), '{}')")
        case .classes:
            columns.append("coalesce(array_agg(pk), '{}')")
            if asksClass { columns.append("coalesce(array_agg(class), '{}')") }
        }
        sql.append(" SELECT \(columns.joined(separator: ", ")) FROM \(changed)")
        return sql
    }

    // MARK: Matching

    private struct MatchedRows {
        let key: SQLFragment
        let className: SQLFragment?
        /// Key, class and values of each row.
        let query: SQLFragment
        /// The key of each row.
        let keys: SQLFragment
        /// The subclasses whose tables decide.
        let subclasses: [EntityMapping]
        /// The tables of the class and of those above it of which rows are changed or decide: after a wait the server looks again at
        /// what it locks, and at nothing else.
        let locked: [SQLFragment]
        /// The update itself, where it is of one table and looks at no other.
        ///
        /// The server then looks at the latest version of a row that another transaction has just changed.
        let direct: SQLFragment?
    }

    private func matched(
        _ aliases: AliasGenerator, _ translator: PredicateTranslator? = nil,
        withClass: Bool = false
    ) throws -> MatchedRows {
        let scope = rows.scope(aliases)
        let translator = translator ?? self.translator
        let key = scope.key()
        let className = withClass ? scope.discriminator() : nil
        let values = try assignments.map { try $0.value(scope, translator) }
        var conditions = [try rows.condition(scope, translator)].compactMap { $0 }
        if !excluded.isEmpty { conditions.append("NOT \(isAmong(key, excluded.sorted(), scope))") }
        let condition: SQLFragment = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let others = entity.layers.filter { owner in
            owner !== entity && (scope.uses(owner) || assignments.contains { $0.owner === owner })
        }
        let locked = ([entity] + others).map { scope.table(of: $0) }
        let from = scope.from
        let columns = [key] + [className].compactMap { $0 } + values
        let query: SQLFragment = "SELECT \(columns.joined(separator: ", ")) \(from)\(condition)"
        let below = entity.descendants.filter { $0.base === $0 && scope.uses($0) }
        var direct: SQLFragment?
        if !scope.source.hasJoins, assignments.allSatisfy({ $0.owner === entity }) {
            let set = zip(assignments, values).flatMap { assignment, value in
                assignment.column.assigned(entity.asWritten(value, named: assignment.column.name))
            }
            direct =
                "UPDATE \(entity.table) AS \(locked[0]) SET \(set.joined(separator: ", "))\(condition)"
        }
        return MatchedRows(
            key: key, className: className, query: query, keys: "SELECT \(key) \(from)\(condition)",
            subclasses: below, locked: locked, direct: direct)
    }

    /// Whether a key is one of these. The server looks through a short array quickest.
    ///
    /// - Parameter scope: the variable whose key it is; `nil` for one that was read.
    private func isAmong(_ key: SQLFragment, _ keys: [RowKey], _ scope: TableScope?) -> SQLFragment {
        guard keys.count <= 100 else {
            return "EXISTS (SELECT FROM \(unnested(keys, of: entity.keyKind, as: "x(pk)")) WHERE x.pk = \(key))"
        }
        return "(\(scope?.isKey(among: keys, gap: " ") ?? "\(key) = ANY (\(bind: keys, of: entity.keyKind))"))"
    }
}
