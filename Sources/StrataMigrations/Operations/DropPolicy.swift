import StrataRepository

/// The rows of a table are everybody's from now on, or are kept apart in another way by the end of the stage. What is left to be done with them sees all.
struct DropPolicy: PlannedOperation {
    var policy: RowPolicyDefinition
    var table: String
    /// Whether the stage ends with another one: until then the table shows roles that policies bind no row, and not all.
    var isFollowed: Bool

    var kind: MigrationOperation { .dropPolicy }
    var title: String { isFollowed ? "hide the rows of \(table)" : "let all rows of \(table) be seen" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        RowPolicyDefinition.removal(of: table, in: sql.schemaName, isFollowed: isFollowed).map(\.text)
    }
    func undo(_ sql: SchemaSQL) -> [String] { policy.creation(of: table, in: sql.schemaName).map(\.text) }
}
