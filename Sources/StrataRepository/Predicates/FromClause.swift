/// The tables of one `SELECT`: the first, and those joined to it, in the order in which they were asked for.
final class FromClause {
    enum Join: String {
        case inner = " JOIN "
        case left = " LEFT JOIN "
    }

    /// Tables that are written when all was asked of them, each with the text before it.
    private var open: [(before: SQLFragment, table: () -> SQLFragment)] = []
    private var end: SQLFragment
    /// Whether there are tables beside the first.
    private(set) var hasJoins = false

    init(_ first: SQLFragment) {
        end = "FROM \(first)"
    }

    convenience init(_ table: SQLFragment, as alias: SQLFragment) {
        self.init("\(table) AS \(alias)")
    }

    var sql: SQLFragment {
        guard !open.isEmpty else { return end }
        var sql = SQLFragment()
        for (before, table) in open {
            sql.append(before)
            sql.append(table())
        }
        sql.append(end)
        return sql
    }

    func add(_ join: Join, _ table: SQLFragment, as alias: SQLFragment, on condition: SQLFragment) {
        hasJoins = true
        end.append("\(raw: join.rawValue)\(table) AS \(alias) ON \(condition)")
    }

    /// Adds a table of which more may be asked: `table` says what it is when ``sql`` is read.
    func add(
        _ join: Join, whenComplete table: @escaping () -> SQLFragment, as alias: SQLFragment, on condition: SQLFragment
    ) {
        hasJoins = true
        end.append(raw: join.rawValue)
        open.append((end, table))
        end = " AS \(alias) ON \(condition)"
    }
}
