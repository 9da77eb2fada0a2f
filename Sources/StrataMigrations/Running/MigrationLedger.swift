package import StrataRepository

/// The tables in which a database remembers its schema version and how far a stage has come.
package enum MigrationLedger {
    /// One row for each version that was reached, newest last; never changed afterwards.
    package static let versions = TableName(schema: LibrarySchema.name, name: "schema_version")
    /// One row for each step that was begun.
    package static let steps = TableName(schema: LibrarySchema.name, name: "migration_step")

    package static let definition = DatabaseDefinition(tables: [
        TableDefinition(
            name: versions.name,
            columns: [
                ColumnDefinition(
                    name: "number", type: "bigint",
                    identity: ColumnDefinition.Identity(minimum: 1, maximum: Int64.max)),
                ColumnDefinition(name: "schema_name", type: "text"),
                ColumnDefinition(name: "version", type: "text"),
                ColumnDefinition(name: "fingerprint", type: "text"),
                ColumnDefinition(name: "stage", type: "text"),
                ColumnDefinition(name: "applied", type: "timestamptz", defaultExpression: "now()"),
                ColumnDefinition(name: "applied_by", type: "text", defaultExpression: "SESSION_USER"),
                ColumnDefinition(name: "description", type: "jsonb", isNullable: true),
            ],
            primaryKey: PrimaryKeyDefinition(name: "schema_version_pkey", columns: ["number"]),
            indexes: [
                IndexDefinition(
                    name: "schema_version_schema_name_number_idx", columns: ["schema_name", "number"])
            ]),
        TableDefinition(
            name: steps.name,
            columns: [
                ColumnDefinition(name: "schema_name", type: "text"),
                ColumnDefinition(name: "stage", type: "text"),
                ColumnDefinition(name: "step", type: "text"),
                ColumnDefinition(name: "checksum", type: "text"),
                ColumnDefinition(name: "state", type: "text"),
                ColumnDefinition(name: "checkpoint", type: "bigint", isNullable: true),
                ColumnDefinition(name: "rows_done", type: "bigint", defaultExpression: "0"),
                ColumnDefinition(name: "rows_total", type: "bigint", isNullable: true),
                ColumnDefinition(name: "started", type: "timestamptz", defaultExpression: "now()"),
                ColumnDefinition(name: "finished", type: "timestamptz", isNullable: true),
                ColumnDefinition(name: "content", type: "text[]", isNullable: true),
            ],
            primaryKey: PrimaryKeyDefinition(
                name: "migration_step_pkey", columns: ["schema_name", "stage", "step"]),
            checks: [
                CheckDefinition(
                    name: "migration_step_state_check",
                    condition: .isOneOf(column: "state", values: ["started", "done"]))
            ]),
    ])
}
