/// A primary key over the same columns in another order: pairs whose sides change places.
struct ReplacePrimaryKey: PlannedOperation {
    var name: String
    /// What the index is called that was built for it, whose name becomes the constraint's.
    var index: String
    var older: String
    var table: String

    var kind: MigrationOperation { .replacePrimaryKey }
    var title: String { "make \(name) the primary key" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        [
            """
            ALTER TABLE \(sql.table(table)) DROP CONSTRAINT \(sql.quoted(older)),
            ADD CONSTRAINT \(sql.quoted(name)) PRIMARY KEY USING INDEX \(sql.quoted(index))
            """
        ]
    }
}
