import StrataClient
import StrataModels

/// The statements that make a row one of another class: `class` in the root's table, if it has that, and the tables, or the columns in it, of the
/// classes that it leaves and enters.
///
/// What the new class has no place for must not be lost silently: while objects are related to this one by a relationship that
/// only the old class has, the change is refused. The rows of the left tables are locked before that is asked, so that nobody
/// can add such an object meanwhile.
struct ClassChangePlan {
    let model: any PersistentModel
    let old: EntityMapping
    let new: EntityMapping
    /// The classes that it leaves, subclasses first.
    private let left: [EntityMapping]
    /// The classes that it enters.
    private let entered: [EntityMapping]
    /// The classes whose tables lose a row.
    var leftTables: [EntityMapping] { left.filter { $0.base === $0 } }
    /// The classes whose tables get one.
    var enteredTables: [EntityMapping] { entered.filter { $0.base === $0 } }
    /// Whether the object is one row of one table, before and after.
    private var isOneRow: Bool { leftTables.isEmpty && enteredTables.isEmpty }
    /// The slots that are written with the change of the class, as they are in the same table: those that the object enters, and other changed ones of
    /// subclasses.
    let slots: SlotSet
    /// The columns that are cleared with it.
    let cleared: [Column]
    private let mapping: StoreMapping

    init(_ change: ClassChange, mapping: StoreMapping) throws {
        guard let old = mapping.entity(for: change.old), let new = mapping.entity(for: type(of: change.model)) else {
            throw SaveError.unknownClass(change.model)
        }
        (model, self.old, self.new, self.mapping) = (change.model, old, new, mapping)
        left = old.chain.filter { entity in !new.chain.contains { $0 === entity } }.reversed()
        entered = new.chain.filter { entity in !old.chain.contains { $0 === entity } }
        let kept = Set(new.columns.compactMap { $0?.name })
        var slots = SlotSet(entered.filter { $0.base !== $0 }.flatMap(\.ownWrittenSlots))
        if new.ownRows != nil {
            // Until the row is of the class, no update finds it by that.
            let inherited = new.root.descriptor.properties.count
            let changed = change.model._$state.changedSlots.slots
            slots.formUnion(SlotSet(changed.filter { $0 >= inherited && new.tableValueSlots.contains($0) }))
        }
        self.slots = slots
        cleared = left.filter { $0.base !== $0 }.flatMap { entity in
            entity.ownWrittenSlots.compactMap { entity.columns[$0] }
        }.filter { !kept.contains($0.name) }
    }

    var place: RowPlace { RowPlace(model._$state.key, of: new) }

    /// What is left to update of an object's changed columns: those of a class that it enters are part of a new row, or come with the class.
    func rest(of table: UpdatePlan.Table, of object: any PersistentModel) -> UpdatePlan.Table {
        guard object === model else { return table }
        var table = table
        if enteredTables.contains(where: { $0 === table.owner }) { table.slots = SlotSet() }
        table.slots.subtract(slots)
        return table
    }

    /// Everything but the new rows, which go in with those of new objects, and columns that the classes share a table for.
    func statements() throws -> [SaveStatement] {
        if isOneRow { return [try lock()] + (try losses()) }
        var statements = try changeOfClass()
        for entity in left {
            let row = "\(entity.table.quoted) WHERE \(entity.key.isEqual(to: "$1", of: ""))"
            statements.append(try statement("SELECT 1 FROM \(row) FOR UPDATE", "lock", entity))
        }
        statements += try losses()
        for entity in left {
            let row = "\(entity.table.quoted) WHERE \(entity.key.isEqual(to: "$1", of: ""))"
            statements.append(try statement("DELETE FROM \(row)", "leave", entity))
        }
        return statements
    }

    private func lock() throws -> SaveStatement {
        try statement(
            "SELECT 1 FROM \(new.table.quoted) WHERE \(new.key.isEqual(to: "$1", of: "")) FOR UPDATE", "lock", new)
    }

    private func losses() throws -> [SaveStatement] {
        var statements: [SaveStatement] = []
        for relationship in lostRelationships {
            let (from, condition) = relationship.objects(relatedTo: left, key: "$1")
            let text =
                "SELECT (\(ServerRefusal.Rule.leave.text(relationship, key: "$1", number: "c.n")))::bigint"
                + " FROM (SELECT count(*) AS n FROM \(from) WHERE \(condition)) AS c WHERE c.n > 0"
            statements.append(try statement(text, "count \(relationship.property.qualifiedName) of", old))
        }
        return statements
    }

    /// The class of a row in a table that the classes share, with the values of those that it enters and without those of the others. It comes
    /// after the new rows, to which the values may refer. A row that is not of the class that it was fails, as above.
    func changeOfRow(_ context: SaveContext) throws -> [SaveStatement] {
        guard isOneRow, let column = new.classColumn else { return [] }
        for slot in slots.slots {
            guard let property = new.descriptor.relationship(at: slot), !property.isOptional,
                let destination = new.relationships[slot]?.destination,
                !context.hasTarget(property.reference(of: model), of: destination)
            else { continue }
            throw SaveError.missingTarget(property, of: model)
        }
        let shape = UpdateGroup.Shape(owner: new.index, slots: slots, checked: SlotSet(), phase: .settling)
        let group = UpdateGroup(UpdateLayout(shape, owner: new), reservingCapacity: 1)
        try group.add(model, key: model._$state.key, context.rewriting)
        var parameters = PostgresParameters()
        for place in 0..<group.buffers.count { parameters.append(onlyElementOf: group.buffers[place]) }
        let values = UpdateValues(group)
        func parameter(_ discriminator: String) throws -> String {
            try parameters.append(discriminator)
            return new.root.asWritten("$\(parameters.count)::text", named: column)
        }
        let name = SQLFragment.quoted(column)
        let set =
            ["\(name) = \(try parameter(new.discriminator))"]
            + zip(group.written, values.written).flatMap { $0.assignments($1) }.map { "\($0.name) = \($0.value)" }
            + cleared.flatMap(\.tableColumns).map { "\(SQLFragment.quoted($0.name)) = DEFAULT" }
        let update =
            "UPDATE \(new.table.quoted) AS t SET \(set.joined(separator: ", "))"
            + " WHERE \(new.key.isEqual(to: values.key, of: "t")) AND t.\(name) = \(try parameter(old.discriminator))"
        return [
            SaveStatement(
                kind: .classChange(from: old, to: new), text: UpdateStatement.failing(update, of: new, count: "1"),
                parameters: parameters, name: "save: change the class of \(new.table.name)", rows: 1)
        ]
    }

    /// Fails, as an update of a row that has changed does, unless the row is of the class that it was.
    private func changeOfClass() throws -> [SaveStatement] {
        guard let column = old.classColumn else { return try holdsClass() }
        let name = SQLFragment.quoted(column)
        func value(_ parameter: String) -> String {
            old.root.conversion(of: column)?.writing("\(parameter)::text") ?? parameter
        }
        let text =
            "WITH written AS (UPDATE \(old.root.table.quoted) SET \(name) = \(value("$2"))"
            + " WHERE \(old.key.isEqual(to: "$1", of: "")) AND \(name) = \(value("$3")) RETURNING 1)"
            + " SELECT 1 FROM written HAVING 1 / count(*)::int = 0"
        var statement = try statement(text, "change the class of", old)
        try statement.parameters.append(new.discriminator)
        try statement.parameters.append(old.discriminator)
        statement.rows = 1
        return [statement]
    }

    /// Where the tables say the class: whoever changes it holds the root's row, so it is asked for behind that lock, by a statement that sees
    /// what was waited for.
    private func holdsClass() throws -> [SaveStatement] {
        let root = old.root
        let key = old.key.isEqual(to: "$1", of: "t")
        let text =
            "SELECT 1 FROM \(root.table.quoted) AS t WHERE \(key) AND \(old.storedClass(of: "t")) = $2::text"
            + " HAVING 1 / count(*)::int = 0"
        var asked = try statement(text, "ask for the class of", root)
        try asked.parameters.append(old.discriminator)
        asked.rows = 1
        return [
            try statement("SELECT 1 FROM \(root.table.quoted) AS t WHERE \(key) FOR UPDATE", "lock", root), asked,
        ]
    }

    private func statement(_ text: String, _ verb: String, _ entity: EntityMapping) throws -> SaveStatement {
        var parameters = PostgresParameters()
        try parameters.append(model._$state.key)
        return SaveStatement(
            kind: .classChange(from: old, to: new), text: text, parameters: parameters,
            name: "save: \(verb) \(entity.table.name)")
    }

    /// The relationships by which others can be related to an object of a class that it leaves, from either side.
    ///
    /// A foreign key of the object itself goes as its attributes do, unless its rule is to take the target along.
    private var lostRelationships: [RelationshipMapping] {
        mapping.entities.flatMap { entity in
            entity.relationships[entity.descriptor.ownSlots].compactMap { relationship in
                guard let relationship else { return nil }
                if left.contains(where: { $0 === entity }) {
                    if case .foreignKey = relationship.storage {
                        return relationship.property.deleteRule == .cascade ? relationship : nil
                    }
                    return relationship
                }
                // The other side says the same.
                guard relationship.inverse == nil else { return nil }
                return left.contains { $0 === relationship.destination } ? relationship : nil
            }
        }
    }
}

extension RelationshipMapping {
    /// Where the objects stand that this relationship relates to one of `entities`, and on which condition.
    fileprivate func objects(relatedTo entities: [EntityMapping], key: String) -> (from: String, condition: String) {
        let (from, own, other) = ends
        let isOwner = entities.contains { $0 === owner }
        return (
            from, isOwner ? "\(isOwn(key)) AND \(other) IS NOT NULL" : "\(isOther(key)) AND \(own) IS NOT NULL"
        )
    }
}
