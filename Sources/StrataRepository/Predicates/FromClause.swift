/// The tables of one `SELECT`: the first, and those joined to it, in the order in which they were asked for.
final class FromClause {
    enum Join: String {
        case inner = " JOIN "
        case left = " LEFT JOIN "
    }

    private(set) var sql: SQLFragment

    init(_ first: SQLFragment) {
        sql = "FROM \(first)"
    }

    convenience init(_ table: SQLFragment, as alias: SQLFragment) {
        self.init("\(table) AS \(alias)")
    }

    func add(_ join: Join, _ table: SQLFragment, as alias: SQLFragment, on condition: SQLFragment) {
        sql.append("\(raw: join.rawValue)\(table) AS \(alias) ON \(condition)")
    }
}
