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
                ],
                primaryKey: PrimaryKeyDefinition(name: "store_pkey", columns: ["schema_name"]))
        ],
        sequences: [
            SequenceDefinition(
                name: keyBlock.name, start: KeySpace.firstBlock, minimum: KeySpace.firstBlock,
                maximum: KeySpace.lastBlock)
        ])
}
