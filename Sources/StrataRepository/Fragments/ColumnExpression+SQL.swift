extension ColumnExpression {
    /// The SQL as it stands in `CREATE INDEX`, `CHECK` and `GENERATED ALWAYS AS`.
    package var sql: String { sql { SQLFragment.quoted($0) } }

    /// The SQL in parentheses, with something else in the place of each column.
    func fragment(_ column: (String) -> SQLFragment) -> SQLFragment {
        var sql: SQLFragment = "("
        for place in parts.indices {
            if place % 2 == 1 { sql.append(column(parts[place])) } else { sql.append(raw: parts[place]) }
        }
        sql.append(raw: ")")
        return sql
    }
}
