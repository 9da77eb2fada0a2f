/// New code does not know a column: its inserts must not fail because of it, nor bring a value that nobody has given.
struct OmitColumn: PlannedOperation {
    enum Change {
        /// A value that old code can read.
        case setDefault(String)
        /// What it was.
        case dropDefault(String)
        /// The column may be empty, because something follows it.
        case dropNotNull
    }

    var column: String
    var table: String
    var change: Change

    var kind: MigrationOperation { .omitColumn }
    var title: String {
        if case .dropDefault = change {
            return "let triggers tell what is left out of \(table).\(column): drop its default"
        }
        return "let new code leave out \(table).\(column)"
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var columns: [String] { if case .dropNotNull = change { [column] } else { [] } }

    func statements(_ sql: SchemaSQL) -> [String] {
        let action =
            switch change {
            case .setDefault(let value): "SET DEFAULT \(value)"
            case .dropDefault: "DROP DEFAULT"
            case .dropNotNull: "DROP NOT NULL"
            }
        return [sql.alter(table, column: column, action)]
    }

    func undo(_ sql: SchemaSQL) -> [String] {
        let action =
            switch change {
            case .setDefault: "DROP DEFAULT"
            case .dropDefault(let value): "SET DEFAULT \(value)"
            case .dropNotNull: "SET NOT NULL"
            }
        return [sql.alter(table, column: column, action)]
    }
}
