import StrataClient
import StrataModels

/// The statements of an action, transaction by transaction.
extension PartitionPlan.Action {
    package struct Part {
        package let statements: [SQLFragment]
        /// Whether they are one transaction; a statement that takes none stands alone.
        package let isTransaction: Bool
    }

    /// - Parameter hasHistory: whether the database has the tables of the history.
    package func parts(of divided: PartitionedTable, hasHistory: Bool) -> [Part] {
        let table = divided.table
        switch self {
        case .make(let bounds):
            let partition = TableName(
                schema: table.schema, name: PartitionName.name(of: table.name, from: bounds.lower))
            // `CREATE TABLE … PARTITION OF` takes ACCESS EXCLUSIVE on the table, ATTACH only SHARE UPDATE EXCLUSIVE (manual, 5.12.2.2). There are
            // no rows to be looked at, so no check has to prove the bounds; indexes and foreign keys come with ATTACH.
            let creation: SQLFragment = """
                CREATE TABLE \(partition) (LIKE \(table) INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE \
                INCLUDING COMPRESSION INCLUDING CONSTRAINTS)
                """
            let attachment: SQLFragment = """
                ALTER TABLE \(table) ATTACH PARTITION \(partition) \
                FOR VALUES FROM (\(raw: bounds.lower.constant)) TO (\(raw: bounds.upper.constant))
                """
            return [Part(statements: [creation, attachment], isTransaction: true)]
        case .detach(let partition):
            let mark = SQLFragment.literal(PartitionInspection.mark(of: table.name))
            return [
                Part(statements: ["COMMENT ON TABLE \(partition) IS \(raw: mark)"], isTransaction: true),
                Part(
                    statements: ["ALTER TABLE \(table) DETACH PARTITION \(partition) CONCURRENTLY"],
                    isTransaction: false),
            ]
        case .unmark(let partition):
            return [Part(statements: ["COMMENT ON TABLE \(partition) IS NULL"], isTransaction: true)]
        case .finish(let partition):
            return [
                Part(statements: ["ALTER TABLE \(table) DETACH PARTITION \(partition) FINALIZE"], isTransaction: false)
            ]
        case .drop(let partition):
            // No trigger runs for rows that go with their table: the history says what it says of TRUNCATE (decision 0011).
            let reset: SQLFragment = """
                SELECT "strata"."history_reset_entities"(ARRAY(
                    SELECT e."id" FROM \(HistorySchema.entity) AS e JOIN \(LibrarySchema.store) AS s ON s."number" = e."store"
                    WHERE s."schema_name" = \(bind: table.schema) AND e."name" = \(bind: divided.entityName) AND e."word" = 0
                        AND NOT e."retired"))
                """
            return [
                Part(
                    statements: (hasHistory && divided.isRecorded ? [reset] : []) + ["DROP TABLE \(partition)"],
                    isTransaction: true)
            ]
        }
    }
}

extension PostgresTimestamp {
    /// As the bound of a partition, which takes no parameter.
    fileprivate var constant: String {
        if microseconds == .min { return "MINVALUE" }
        if microseconds == .max { return "MAXVALUE" }
        var text = description
        let isBeforeChrist = text.hasSuffix(" BC")
        if isBeforeChrist { text.removeLast(3) }
        return SQLFragment.literal(text + "+00" + (isBeforeChrist ? " BC" : ""))
    }
}
