package import StrataClient

/// The row of a durable consumer in `strata.history_consumer`.
package struct HistoryConsumerRow {
    private let name: String
    private let schemaName: String

    package init(_ name: String, in schemaName: String) {
        self.name = name
        self.schemaName = schemaName
    }

    /// Reads the place, and whether it was not written for a minute. No row for a consumer that has never advanced.
    package func reading(_ take: @escaping (_ text: String, _ isOld: Bool) -> Void) throws -> PostgresBatch {
        let query: SQLFragment = """
            SELECT c."token", c."updated" < now() - interval '1 minute' FROM \(HistorySchema.consumer) AS c
            JOIN \(LibrarySchema.store) AS s ON s."number" = c."store"
            WHERE s."schema_name" = \(bind: schemaName) AND c."name" = \(bind: name)
            """
        return PostgresBatch(try query.statement(name: "read the place of a history consumer").storingNothing) { row in
            take(try row.decode(0, as: String.self), try row.decode(1, as: Bool.self))
        }
    }

    /// Writes the place, unless somebody else has written it since it was read: then no row is changed.
    ///
    /// - Parameter before: the place that was read; `nil` where there was no row.
    package func advancing(
        from before: String?, to place: String, onComplete: @escaping (Int) throws -> Void
    ) throws -> PostgresBatch {
        let sql: SQLFragment
        if let before {
            sql = """
                UPDATE \(HistorySchema.consumer) AS c SET "token" = \(bind: place), "updated" = now()
                FROM \(LibrarySchema.store) AS s
                WHERE s."number" = c."store" AND s."schema_name" = \(bind: schemaName) AND c."name" = \(bind: name)
                    AND c."token" = \(bind: before)
                """
        } else {
            sql = """
                INSERT INTO \(HistorySchema.consumer) ("store", "name", "token")
                SELECT s."number", \(bind: name), \(bind: place) FROM \(LibrarySchema.store) AS s
                WHERE s."schema_name" = \(bind: schemaName) ON CONFLICT DO NOTHING
                """
        }
        var batch = PostgresBatch()
        batch.add(try sql.statement(name: "advance a history consumer"), onComplete: onComplete)
        return batch
    }
}
