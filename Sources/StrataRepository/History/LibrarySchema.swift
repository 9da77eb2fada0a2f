/// The PostgreSQL schema with what Strata keeps for itself, one for all stores in a database.
package enum LibrarySchema {
    package static let name = "strata"
    /// The stores in this database: one row a PostgreSQL schema.
    package static let store = TableName(schema: name, name: "store")
    /// Blocks of keys, see ``KeySpace``.
    package static let keyBlock = TableName(schema: name, name: "key_block")

    package static let definition = DatabaseDefinition(
        tables: [
            TableDefinition(
                name: store.name,
                columns: [
                    ColumnDefinition(name: "schema_name", type: "text"),
                    ColumnDefinition(name: "identifier", type: "uuid", defaultExpression: "gen_random_uuid()"),
                    ColumnDefinition(name: "created", type: "timestamptz", defaultExpression: "now()"),
                ] + historyColumns,
                primaryKey: PrimaryKeyDefinition(name: "store_pkey", columns: ["schema_name"]),
                uniques: [UniqueDefinition(name: "store_number_key", columns: ["number"])])
        ] + HistorySchema.tables,
        sequences: [
            SequenceDefinition(
                name: keyBlock.name, start: KeySpace.firstBlock, minimum: KeySpace.firstBlock,
                maximum: KeySpace.lastBlock),
            HistorySchema.changeSequence,
        ])

    /// What stores need even where there is no history.
    package static let withoutHistory = DatabaseDefinition(
        tables: definition.tables.filter { $0.name == store.name },
        sequences: definition.sequences.filter { $0.name == keyBlock.name })

    /// Whose transaction numbers a store's history holds, and how much of it was deleted.
    private static let historyColumns = [
        ColumnDefinition(
            name: "number", type: "integer",
            identity: ColumnDefinition.Identity(minimum: 1, maximum: Int64(Int32.max))),
        ColumnDefinition(name: "generation", type: "smallint", defaultExpression: "1"),
        ColumnDefinition(name: "system_identifier", type: "bigint", isNullable: true),
        ColumnDefinition(name: "timeline", type: "text", isNullable: true),
        ColumnDefinition(name: "database_oid", type: "oid", isNullable: true),
        ColumnDefinition(name: "deleted_below", type: "xid8", defaultExpression: "'0'::xid8"),
        ColumnDefinition(name: "deletions", type: "bigint", defaultExpression: "0"),
    ]

    /// Adds what tables of earlier versions lack; it locks nothing where nothing is missing. An index is made where nobody uses its table in a
    /// transaction that goes on.
    package static let upgrade = [storeUpgrade, indexing(HistorySchema.tables)]

    /// Makes the indexes of tables of the library that are not there yet, if nobody is in the way. One statement.
    package static func indexing(_ tables: [TableDefinition]) -> String {
        // CREATE INDEX IF NOT EXISTS would lock the table before it looks. A step of a migration has a store's row and then writes the table: the same
        // order here, and no waiting, since all works without the index and the next run of the tool makes it.
        let indexes = tables.flatMap { table in
            table.indexes.map { index in
                """
                    IF pg_catalog.to_regclass('\(name).\(index.name)') IS NULL THEN
                        BEGIN
                            PERFORM FROM "strata"."store" AS s ORDER BY s."number" FOR UPDATE NOWAIT;
                            LOCK TABLE \(quoted(table)) IN SHARE MODE NOWAIT;
                            \(table.creation(of: index, in: name).text);
                        EXCEPTION WHEN lock_not_available THEN
                            NULL;
                        END;
                    END IF;

                """
            }
        }
        return "DO $strata$\nBEGIN\n\(indexes.joined())END\n$strata$"
    }

    private static func quoted(_ table: TableDefinition) -> String {
        SQLFragment.quoted(name) + "." + SQLFragment.quoted(table.name)
    }

    private static let storeUpgrade: String = {
        let additions =
            historyColumns.map { "ADD COLUMN " + $0.clause }
            + ["ADD CONSTRAINT \"store_number_key\" UNIQUE (\"number\")"]
        return """
            DO $strata$
            BEGIN
                IF NOT EXISTS (
                    SELECT FROM pg_catalog.pg_attribute WHERE attrelid = 'strata.store'::pg_catalog.regclass
                        AND attname = 'number')
                THEN
                    ALTER TABLE "strata"."store"
                        \(additions.joined(separator: ",\n            "));
                END IF;
            END
            $strata$
            """
    }()
}
