import StrataRepository

/// Where the values of a column are kept from now on: in the row or beside it.
struct SetStorage: PlannedOperation {
    var column: String
    var table: String
    var storage: ColumnDefinition.Storage?
    var before: ColumnDefinition.Storage?

    var kind: MigrationOperation { .setStorage }
    var title: String { "store \(table).\(column) \(storage == .external ? "outside of the row" : "as usual")" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] { [Self.statement(storage, of: column, in: table, sql)] }
    func undo(_ sql: SchemaSQL) -> [String] { [Self.statement(before, of: column, in: table, sql)] }

    static func statement(
        _ storage: ColumnDefinition.Storage?, of column: String, in table: String, _ sql: SchemaSQL
    ) -> String {
        sql.alter(table, column: column, "SET STORAGE \((storage ?? .extended).rawValue.uppercased())")
    }
}
