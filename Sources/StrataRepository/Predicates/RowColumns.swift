/// The columns of one row, which have no table in front of them; of which classes' tables they are.
final class RowColumns {
    private(set) var owners: [EntityMapping] = []
    /// Whether one is a JSON document: a part of it may be missing where Swift has no optional.
    private(set) var hasDocument = false

    func column(_ name: String, of owner: EntityMapping) -> SQLFragment {
        if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
        if owner.columnType(named: name) == .jsonb { hasDocument = true }
        var sql = SQLFragment()
        sql.append(column: name)
        return sql
    }
}
