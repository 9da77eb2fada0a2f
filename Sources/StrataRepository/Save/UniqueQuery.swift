import StrataModels

/// The queries that compare rows with each other and with stored ones in the columns of a unique set. The server compares, so that "equal"
/// means what the constraint means by it: `numeric` 1.0 and 1, no NULL ever.
///
/// The rows are a table `u` of arrays: a number `i`, and a column for each of the set.
struct UniqueQuery {
    let set: UniqueSet
    /// The parameter of the first array.
    var firstParameter = 1

    /// What follows `FROM` for the rows.
    var source: String {
        let columns = set.columns.enumerated().map { (name: "c\($0)", type: $1.transportType) }
        return RowSource.rows([(name: "i", type: .int8)] + columns, firstParameter: firstParameter)
    }

    /// A column of the rows, or of other rows `v`, in the type of the set's.
    func value(_ index: Int, of rows: String = "u") -> String {
        let column = set.columns[index]
        return column.type == column.transportType
            ? "\(rows).c\(index)" : "\(rows).c\(index)::\(column.type)"
    }

    /// Rows that are equal to others, each with the one that wins: `min` or `max` of their numbers.
    func duplicates(winner: String) -> String {
        let values = set.columns.indices.map { value($0) }
        return
            "SELECT d.i, d.w FROM (SELECT u.i, \(winner)(u.i) OVER (PARTITION BY \(values.joined(separator: ", "))) AS w"
            + " FROM \(source) WHERE \(values.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))) AS d WHERE d.i <> d.w"
    }

    /// Whether ``matches(where:locksRows:)`` has the classes of the stored rows, as a third column.
    var hasClass: Bool { self.set.owner.hasDiscriminator }

    /// Stored rows `t` that are equal to one of the rows, by number and key.
    ///
    /// - Parameters:
    ///   - condition: which stored rows; `nil` for all.
    ///   - locksRows: whether they are to be there, with their keys, until the transaction ends.
    func matches(where condition: String?, locksRows: Bool) -> String {
        let owner = set.owner
        let conditions = set.columns.enumerated().map { index, column in
            "t.\(SQLFragment.quoted(column.name)) = \(owner.asWritten(value(index), in: column))"
        }
        let (key, classColumn) = (owner.key, SQLFragment.quoted(owner.classColumn))
        var columns = "u.i, \(key.value(of: "t"))"
        var tables = "\(source) JOIN \(owner.table.quoted) AS t ON \(conditions.joined(separator: " AND "))"
        if owner.hasDiscriminator {
            if owner.parent == nil {
                columns += ", t.\(classColumn)"
            } else {
                columns += ", r.\(classColumn)"
                tables += " JOIN \(owner.root.table.quoted) AS r ON \(key.isEqual(to: key.value(of: "t"), of: "r"))"
            }
        }
        return "SELECT \(columns) FROM \(tables)" + (condition.map { " WHERE \($0)" } ?? "")
            // In the order of the keys: who looks for the same rows waits for the other instead of deadlocking.
            + " ORDER BY \(key.list(of: "t"))" + (locksRows ? " FOR NO KEY UPDATE OF t" : "")
    }
}
