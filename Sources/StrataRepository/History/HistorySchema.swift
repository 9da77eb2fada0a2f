/// The tables of the history, in the library's schema: one history for all classes of all stores in a database.
///
/// `Documentation/Decisions/0006-history.md` says why they look like this.
package enum HistorySchema {
    /// What is recorded of a store: see ``HistoryDescription``.
    package static let description = table("history_description")
    /// The numbers of classes, for ever.
    package static let entity = table("history_entity")
    /// The bits of properties, for ever.
    package static let property = table("history_property")
    /// One row a transaction that changed something: who, when.
    package static let transaction = table("history_transaction")
    /// One row a changed row.
    package static let change = table("history_change")
    /// How far durable consumers have come.
    package static let consumer = table("history_consumer")

    /// Numbers changes in the order in which they happened; that is true without a cache only.
    package static let changeSequence = SequenceDefinition(
        name: "history_change_seq", start: 1, minimum: 1, maximum: Int64.max)

    /// Where a change has the key of its row among the preserved values, because it is no number: `pk` is NULL then. A ninth column would cost
    /// each row of every store eight bytes.
    static let keyMember = "key"

    static let tables = [
        TableDefinition(
            name: description.name,
            columns: [
                ColumnDefinition(name: "store", type: "integer"),
                ColumnDefinition(name: "current", type: "jsonb"),
                // The version that a migration is on the way to.
                ColumnDefinition(name: "next", type: "jsonb", isNullable: true),
                // Both, with the numbers of classes and properties.
                ColumnDefinition(name: "tracked", type: "jsonb"),
                ColumnDefinition(name: "installed", type: "timestamptz", defaultExpression: "now()"),
            ],
            primaryKey: key(description, "store")),
        TableDefinition(
            name: entity.name,
            columns: [
                ColumnDefinition(
                    name: "id", type: "integer",
                    identity: ColumnDefinition.Identity(minimum: 1, maximum: Int64(Int32.max))),
                ColumnDefinition(name: "store", type: "integer"),
                ColumnDefinition(name: "name", type: "text"),
                ColumnDefinition(name: "next_name", type: "text", isNullable: true),
                ColumnDefinition(name: "root", type: "integer"),
                // Which 63 properties of the hierarchy the masks of this number are about.
                ColumnDefinition(name: "word", type: "smallint", defaultExpression: "0"),
                // The class's number for word 0.
                ColumnDefinition(name: "base", type: "integer"),
                ColumnDefinition(name: "retired", type: "boolean", defaultExpression: "false"),
            ],
            primaryKey: key(entity, "id"),
            // Of all tenants' classes those of one, and the words of one class.
            indexes: [index(entity, "store"), index(entity, "base", "word")]),
        TableDefinition(
            name: property.name,
            columns: [
                ColumnDefinition(name: "root", type: "integer"),
                ColumnDefinition(name: "bit", type: "smallint"),
                ColumnDefinition(name: "entity", type: "integer"),
                ColumnDefinition(name: "name", type: "text"),
                ColumnDefinition(name: "next_name", type: "text", isNullable: true),
                ColumnDefinition(name: "retired", type: "boolean", defaultExpression: "false"),
            ],
            primaryKey: key(property, "root", "bit")),
        TableDefinition(
            name: transaction.name,
            columns: [
                ColumnDefinition(name: "store", type: "integer"),
                ColumnDefinition(name: "generation", type: "smallint"),
                ColumnDefinition(name: "xid", type: "xid8"),
                ColumnDefinition(name: "at", type: "timestamptz", defaultExpression: "clock_timestamp()"),
                ColumnDefinition(name: "author", type: "text", isNullable: true),
                ColumnDefinition(name: "actor", type: "text"),
                ColumnDefinition(name: "role", type: "text", isNullable: true),
                ColumnDefinition(name: "application", type: "text", isNullable: true),
                ColumnDefinition(name: "process", type: "text", isNullable: true),
                ColumnDefinition(name: "context", type: "text", isNullable: true),
            ],
            primaryKey: key(transaction, "store", "generation", "xid")),
        // Eight columns: up to there a row with NULLs is no larger than one without.
        TableDefinition(
            name: change.name,
            columns: [
                ColumnDefinition(name: "xid", type: "xid8"),
                ColumnDefinition(
                    name: "seq", type: "bigint", defaultExpression: "nextval('strata.history_change_seq'::regclass)"),
                ColumnDefinition(name: "pk", type: "bigint", isNullable: true),
                ColumnDefinition(name: "props", type: "bigint", isNullable: true),
                ColumnDefinition(name: "entity", type: "integer"),
                ColumnDefinition(name: "generation", type: "smallint"),
                ColumnDefinition(name: "op", type: "\"char\""),
                ColumnDefinition(name: "tomb", type: "jsonb", isNullable: true),
            ],
            primaryKey: key(change, "xid", "seq")),
        TableDefinition(
            name: consumer.name,
            columns: [
                ColumnDefinition(name: "store", type: "integer"),
                ColumnDefinition(name: "name", type: "text"),
                ColumnDefinition(name: "token", type: "text"),
                ColumnDefinition(name: "updated", type: "timestamptz", defaultExpression: "now()"),
            ],
            primaryKey: key(consumer, "store", "name")),
    ]

    private static func table(_ name: String) -> TableName { TableName(schema: LibrarySchema.name, name: name) }

    private static func index(_ table: TableName, _ columns: String...) -> IndexDefinition {
        IndexDefinition(name: ([table.name] + columns + ["idx"]).joined(separator: "_"), columns: columns)
    }

    private static func key(_ table: TableName, _ columns: String...) -> PrimaryKeyDefinition {
        PrimaryKeyDefinition(name: table.name + "_pkey", columns: columns)
    }
}
