import StrataClient
import StrataModels

/// The statements of one save in the order in which they are carried out.
///
/// Changed rows are written before new ones, so that unique values which they give up are free; those that refer to new rows
/// follow. Deletions come last, when nothing refers to the deleted rows any more, unless their unique values are needed.
struct SavePlan {
    let statements: [SaveStatement]

    init(
        _ request: SaveRequest, mapping: StoreMapping, rewriting: KeyRewriting = KeyRewriting(),
        upserts: [(model: any PersistentModel, key: Int64)] = []
    ) throws {
        let context = SaveContext(request, mapping: mapping, rewriting: rewriting)
        let inserted =
            rewriting.isEmpty ? request.inserted : request.inserted.filter { !rewriting.contains($0._$state.key) }

        var updates = UpdateCollector(context)
        try updates.add(request.changed)
        try updates.add(upserts: upserts)
        var links = LinkCollector(context)
        links.add(inserted: request.inserted)
        links.add(changed: request.changed)

        let deletes = try DeleteCollector(context).statements()
        let deletesFirst = !updates.leavesDeletedTarget && Self.needsUniqueValues(of: request, mapping)
        var statements: [SaveStatement] = []
        if updates.movesUniqueReference || deletesFirst && !deletes.isEmpty { statements.append(Self.deferConstraints) }
        if deletesFirst { statements += deletes }
        statements += try updates.statements(late: false)
        statements += try InsertCollector(context).statements(inserted)
        statements += try updates.statements(late: true)
        statements += try links.statements()
        if !deletesFirst { statements += deletes }
        if let first = statements.first, case .setting = first.kind, request.insideTransaction {
            statements.append(Self.checkConstraints)
        }
        self.statements = statements
    }

    var isEmpty: Bool { statements.isEmpty }

    /// Whether objects of a hierarchy with unique values are deleted while others of it come or change.
    private static func needsUniqueValues(of request: SaveRequest, _ mapping: StoreMapping) -> Bool {
        guard !request.deleted.isEmpty, !(request.inserted.isEmpty && request.changed.isEmpty) else { return false }
        func roots(_ models: [any PersistentModel]) -> Set<Int> {
            Set(models.compactMap { mapping.entity(for: type(of: $0))?.root.index })
        }
        let taking = roots(request.inserted).union(roots(request.changed))
        return roots(request.deleted).intersection(taking).contains { root in
            mapping.entities[root].family.contains { entity in
                !entity.entity.uniquenessConstraints.isEmpty
                    || entity.ownForeignKeys.contains(where: \.isUniqueReference)
            }
        }
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
