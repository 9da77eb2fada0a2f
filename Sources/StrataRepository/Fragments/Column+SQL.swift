import StrataClient

/// What statements say of a column, and of a foreign key of several (``ForeignKeyColumns``). `row` is what stands in front: the alias of the
/// table.
extension Column {
    /// What a row has, as one value. `NULL` where one column of a foreign key is.
    func value(of row: SQLFragment) -> SQLFragment {
        foreignKey?.key.value(of: row) ?? "\(row).\(identifier: name)"
    }

    func value(of row: String) -> String { value(of: SQLFragment(row)).text }

    /// Whether a row has this value, an atom of SQL.
    func isEqual(to value: SQLFragment, of row: SQLFragment) -> SQLFragment {
        foreignKey?.key.isEqual(to: value, of: row) ?? "\(row).\(identifier: name) = \(value)"
    }

    func isEqual(to value: String, of row: String) -> String {
        isEqual(to: SQLFragment(value), of: SQLFragment(row)).text
    }

    /// What is written where a row gets a value: each column's name, in quotes, and its value. Columns of other properties are theirs to write.
    func assignments(_ value: String) -> [(name: String, value: String)] {
        guard let foreignKey else { return [(SQLFragment.quoted(name), value)] }
        return foreignKey.owned.map { place in
            (
                SQLFragment.quoted(foreignKey.key.parts[place].name),
                foreignKey.key.part(place, of: SQLFragment(value)).text
            )
        }
    }

    /// `"name" = value`, and so on.
    func assigned(_ value: SQLFragment) -> [SQLFragment] {
        guard let foreignKey else { return ["\(identifier: name) = \(value)"] }
        return foreignKey.owned.map { place in
            "\(identifier: foreignKey.key.parts[place].name) = \(foreignKey.key.part(place, of: value))"
        }
    }

    /// `"name" = NULL`, and so on.
    var emptied: String {
        tableColumns.map { "\(SQLFragment.quoted($0.name)) = NULL" }.joined(separator: ", ")
    }
}
