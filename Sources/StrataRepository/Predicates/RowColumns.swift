/// The columns of one row, which have no table in front of them; of which classes' tables they are.
final class RowColumns {
    private(set) var owners: [EntityMapping] = []
    /// Whether one is a JSON document: a part of it may be missing where Swift has no optional.
    private(set) var hasDocument = false
    private let purpose: TableTextPurpose

    init(_ purpose: TableTextPurpose) { self.purpose = purpose }

    func column(_ name: String, of owner: EntityMapping) -> SQLFragment {
        if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
        if owner.columnType(named: name) == .jsonb { hasDocument = true }
        var sql = SQLFragment()
        sql.append(column: name)
        return sql
    }

    /// A column that the server computes. One of those names no other (PostgreSQL manual, 5.3), so what it is computed by stands in its place.
    func column(_ generated: GeneratedColumn, of owner: EntityMapping) -> SQLFragment {
        guard purpose != .index else { return column(generated.column.name, of: owner) }
        return generated.expression.fragment { column($0, of: owner) }
    }
}
