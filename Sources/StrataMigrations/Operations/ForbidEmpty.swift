/// New rows may not leave a column empty, before it is known that no row does.
struct ForbidEmpty: PlannedOperation {
    var required: RequiredColumn

    var kind: MigrationOperation { .forbidEmpty }
    var title: String { "forbid empty \(required.table).\(required.column) in new rows" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [required.table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let (check, column) = (sql.quoted(required.check), sql.quoted(required.column))
        return [sql.alter(required.table, "ADD CONSTRAINT \(check) CHECK (\(column) IS NOT NULL) NOT VALID")]
    }

    func undo(_ sql: SchemaSQL) -> [String] {
        required.isLate ? [] : [sql.alter(required.table, "DROP CONSTRAINT IF EXISTS \(sql.quoted(required.check))")]
    }
}
