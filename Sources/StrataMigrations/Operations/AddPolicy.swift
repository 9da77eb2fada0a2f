import StrataRepository

/// A policy by which each tenant sees its rows of a table: under the final names, when nothing is left to be done with the rows of all.
struct AddPolicy: PlannedOperation {
    var policy: RowPolicyDefinition
    var table: String
    /// Whether the table had another one before: then its rows are hidden until this one is made, and again when it is taken back.
    var isReplacement: Bool

    var kind: MigrationOperation { .addPolicy }
    var title: String { "keep the tenants of \(table) apart" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        policy.creation(of: table, in: sql.schemaName).map(\.text)
    }
    func done(_ sql: SchemaSQL) -> String? { sql.hasPolicy(RowPolicyDefinition.name, on: table) }
    func undo(_ sql: SchemaSQL) -> [String] {
        RowPolicyDefinition.removal(of: table, in: sql.schemaName, isFollowed: isReplacement).map(\.text)
    }
}
