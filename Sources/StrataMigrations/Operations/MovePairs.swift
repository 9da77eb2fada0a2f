/// Links that lie elsewhere from now on, behind the switch: pairs in another table of pairs.
struct MovePairs: RowOperation {
    var source: String
    /// The column that is walked.
    var own: String
    var other: String
    var target: String
    /// What the target calls the two.
    var ends: [String]

    var kind: MigrationOperation { .copyLinks }
    var title: String { "copy \(source) to \(target)" }
    var tables: [String] { [target] }
    var walked: (table: String, key: String) { (source, own) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let (one, two) = ("s." + sql.quoted(own), "s." + sql.quoted(other))
        return [
            """
            INSERT INTO \(sql.table(target)) \(sql.list(ends))
            SELECT \(one), \(two) FROM \(sql.table(source)) AS s
            WHERE \(sql.range(own, of: source, as: "s"))
            ON CONFLICT DO NOTHING
            """
        ]
    }
}
