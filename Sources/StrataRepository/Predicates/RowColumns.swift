/// The columns of one row, which have no table in front of them; of which classes' tables they are.
final class RowColumns {
    private(set) var owners: [EntityMapping] = []

    func column(_ name: String, of owner: EntityMapping) -> SQLFragment {
        if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
        var sql = SQLFragment()
        sql.append(column: name)
        return sql
    }
}
