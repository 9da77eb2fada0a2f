import StrataRepository

/// References that become pairs: while both codes run, a trigger follows the references.
struct CopyLinks: RowOperation {
    var source: String
    var key: String
    var reference: String
    /// The two columns of the source that make a pair, and those of the table of pairs.
    var pair: [String]
    var target: String
    var ends: [String]

    var kind: MigrationOperation { .copyLinks }
    var title: String { "copy \(source).\(reference) to \(target)" }
    var tables: [String] { [target] }
    var walked: (table: String, key: String) { (source, key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let values = pair.map { "s." + sql.quoted($0) }.joined(separator: ", ")
        return [
            """
            INSERT INTO \(sql.table(target)) \(sql.list(ends))
            SELECT \(values) FROM \(sql.table(source)) AS s
            WHERE \(sql.range(key, of: source, as: "s")) AND s.\(sql.quoted(reference)) IS NOT NULL
            FOR SHARE OF s
            ON CONFLICT DO NOTHING
            """
        ]
    }
}
