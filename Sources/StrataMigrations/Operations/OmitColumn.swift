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
    var changes: [Change]

    var kind: MigrationOperation { .omitColumn }
    var title: String { "let new code leave out \(table).\(column)" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var columns: [String] {
        changes.contains { if case .dropNotNull = $0 { true } else { false } } ? [column] : []
    }

    func statements(_ sql: SchemaSQL) -> [String] { [alter(sql, changes.map(\.action))] }
    func undo(_ sql: SchemaSQL) -> [String] { [alter(sql, changes.map(\.undoing))] }

    private func alter(_ sql: SchemaSQL, _ actions: [String]) -> String {
        sql.alter(table, actions.map { "ALTER COLUMN \(sql.quoted(column)) \($0)" })
    }
}

extension OmitColumn.Change {
    fileprivate var action: String {
        switch self {
        case .setDefault(let value): "SET DEFAULT \(value)"
        case .dropDefault: "DROP DEFAULT"
        case .dropNotNull: "DROP NOT NULL"
        }
    }

    fileprivate var undoing: String {
        switch self {
        case .setDefault: "DROP DEFAULT"
        case .dropDefault(let value): "SET DEFAULT \(value)"
        case .dropNotNull: "SET NOT NULL"
        }
    }
}
