/// Links that lie elsewhere from now on, behind the switch: references in the rows of one end.
struct MoveReferences: RowOperation {
    var source: String
    /// The column of the source that is walked.
    var batchKey: String
    /// The columns of the source that say which row gets which reference.
    var row: String
    var value: String
    var target: String
    var targetKey: String
    var reference: String

    var kind: MigrationOperation { .copyLinks }
    var title: String { "copy \(source) to \(target).\(reference)" }
    var tables: [String] { [target] }
    var walked: (table: String, key: String) { (source, batchKey) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let (name, held) = (sql.quoted(reference), "s." + sql.quoted(value))
        return [
            """
            UPDATE \(sql.table(target)) AS t SET \(name) = \(held)
            FROM \(sql.table(source)) AS s
            WHERE \(sql.range(batchKey, of: source, as: "s")) AND t.\(sql.quoted(targetKey)) = s.\(sql.quoted(row))
                AND \(held) IS NOT NULL AND t.\(name) IS DISTINCT FROM \(held)
            """
        ]
    }
}
