import StrataRepository

/// Rows of a class in another table of the object.
struct CopyRows: RowOperation {
    var insertion: RowCopy
    /// What each column gets: SQL over the row `s`.
    var values: [String]
    /// Makes the very rows that are copied those of another class, in the same transaction: its lock on them is then the
    /// one that the copy needs.
    var becoming: (change: ClassChange, condition: String, name: String)?

    var kind: MigrationOperation { .copyRows }
    var title: String {
        "copy rows of \(insertion.source) to \(insertion.target)" + (becoming.map { ", as \($0.name)" } ?? "")
    }
    var tables: [String] { (becoming == nil ? [] : [insertion.source]) + [insertion.target] }
    var walked: (table: String, key: String) { (insertion.source, insertion.sourceKey) }

    func statements(_ sql: SchemaSQL) -> [String] {
        func range(_ alias: String) -> String { sql.range(insertion.sourceKey, of: insertion.source, as: alias) }
        guard let (change, condition, _) = becoming else {
            return [
                insertion.statement(sql, values, where: range("s"), locking: "\nFOR SHARE OF s", onConflict: "NOTHING")
            ]
        }
        return [
            // Rows that the trigger has given the class already are locked here as well.
            """
            UPDATE \(sql.table(insertion.source)) AS t SET \(sql.quoted(change.column)) = \(change.after)
            WHERE \(range("t")) AND t.\(sql.quoted(change.column)) IN (\(change.before), \(change.after)) AND \(condition)
            """,
            insertion.statement(sql, values, where: range("s"), onConflict: "NOTHING"),
        ]
    }
}
