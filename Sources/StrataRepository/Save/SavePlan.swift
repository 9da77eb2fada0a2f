import StrataClient
import StrataModels

/// The statements of one save in the order in which they are carried out.
///
/// Changed rows are written before new ones, so that unique values which they give up are free; references to new rows follow.
/// Changed rows that take unique values from each other are parked before (``UniqueExchange``).
/// Deletions come last, when nothing refers to the deleted rows any more. Where their unique values are needed they come first,
/// after the references that leave them, and after the new rows that those lead to (``Successors``); if such a row has unique values
/// for which there is no substitute meanwhile, the deletions come last after all.
struct SavePlan {
    let statements: [SaveStatement]
    /// What goes to owners that it knows nothing of.
    let taken: [TakenTarget]

    /// - Parameter upserts: new objects whose row is there, with its key.
    init(_ context: SaveContext, upserts: [(model: any PersistentModel, key: RowKey)] = []) throws {
        var (updates, successors, deletesFirst) = try Self.updates(context)
        try updates.settle(successors.first)
        try updates.add(upserts: upserts)
        var links = LinkCollector(context)
        links.add(inserted: context.inserted)
        links.add(changed: context.changed)
        links.add(deleted: context.deleted)
        taken = links.taken
        let counts = try CountCheck(context)

        let deletes = try DeleteCollector(context, left: links.left, isLast: !deletesFirst).statements()
        var statements: [SaveStatement] = []
        if updates.movesUniqueReference || deletesFirst && !deletes.isEmpty { statements.append(Self.deferConstraints) }
        statements += counts.locks
        if let change = context.classChange { statements += try change.statements() }
        let inserts = InsertCollector(context)
        statements += try updates.statements(.parking) + inserts.statements(successors.first)
        statements += try updates.statements(.leaving) + links.removals()
        if deletesFirst { statements += deletes }
        statements += try updates.statements(.early)
        statements += try inserts.statements(successors.rest)
        if let change = context.classChange { statements += try change.changeOfRow(context) }
        statements += try updates.statements(.late) + updates.statements(.upserting) + updates.statements(.settling)
        statements += try links.additions()
        statements += try context.positions.statements(inserted: context.newRows)
        if !deletesFirst { statements += deletes }
        statements += try SoftDeleteCollector(context).statements()
        statements += counts.checks
        // IMMEDIATE would last until the end of the transaction, also for unique values that are to be compared there: then all are.
        if let first = statements.first, case .setting = first.kind, context.insideTransaction,
            !context.mapping.defersUniqueValues
        {
            statements.append(Self.checkConstraints)
        }
        self.statements = statements
    }

    /// One statement and nothing else.
    init(_ statement: SaveStatement) {
        statements = [statement]
        taken = []
    }

    var isEmpty: Bool { statements.isEmpty }

    /// The updates of the changed objects, the new rows by what they have to come before, and whether the deletions come first.
    private static func updates(
        _ context: SaveContext
    ) throws -> (updates: UpdateCollector, successors: Successors, deletesFirst: Bool) {
        if let deletions = deletionsForOthers(context) {
            var updates = try UpdateCollector(context, after: deletions)
            try updates.add(context.changed)
            if let successors = try updates.successors() { return (updates, successors, true) }
        }
        var updates = try UpdateCollector(context, after: nil)
        try updates.add(context.changed)
        return (updates, try Successors(noneOf: context), false)
    }

    /// The deletions, if objects of a hierarchy with unique values go, asked for or by rules, while others of it come or change.
    private static func deletionsForOthers(_ context: SaveContext) -> DeletePlan? {
        guard !context.deleted.isEmpty, !(context.inserted.isEmpty && context.changed.isEmpty) else { return nil }
        let roots = context.deleted.roots.sorted().map { context.mapping.entities[$0] }
        let plan = DeletePlan(deleting: roots, mapping: context.mapping)
        let taking = context.inserted.roots.union(context.changed.roots)
        let sharesUniqueValues = plan.reach.intersection(taking).contains { root in
            context.mapping.entities[root].family.contains { entity in
                !entity.ownUniqueSets.isEmpty
                    || entity.ownForeignKeys.contains(where: \.isUniqueReference)
            }
        }
        return sharesUniqueValues ? plan : nil
    }

    /// A one-to-one partner passes from row to row in any order of statements: the constraint is checked at the end.
    private static var deferConstraints: SaveStatement {
        SaveStatement(
            kind: .setting, text: "SET CONSTRAINTS ALL DEFERRED", parameters: PostgresParameters(),
            name: "save: defer constraints")
    }
    private static var checkConstraints: SaveStatement {
        SaveStatement(
            kind: .setting, text: "SET CONSTRAINTS ALL IMMEDIATE", parameters: PostgresParameters(),
            name: "save: check constraints")
    }
}
