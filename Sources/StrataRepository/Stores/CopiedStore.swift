package import StrataClient
package import StrataModels

/// A store whose database was copied from a template with the same tables: it gets an identity of its own, and the tables are not
/// looked at. One round trip.
package struct CopiedStore {
    private let mapping: StoreMapping
    private let row: StoreRow

    package init(_ mapping: StoreMapping) {
        self.mapping = mapping
        row = StoreRow(mapping.schemaName)
    }

    /// What makes the store one of its own. Copies of one template must not take each other's objects for theirs, nor go on with the
    /// history of the template.
    ///
    /// It begins a new generation as `history_adopt` does, without its questions: nobody else has written to the copy, and it is on the
    /// template's server. The questions take a new session several milliseconds.
    package func batch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        let naming: SQLFragment = """
            UPDATE \(LibrarySchema.store) AS s SET "identifier" = pg_catalog.gen_random_uuid(), \
            "generation" = s."generation" + CASE WHEN s."database_oid" <> d.oid THEN 1 ELSE 0 END, \
            "deleted_below" = CASE WHEN s."database_oid" <> d.oid THEN '0' ELSE s."deleted_below" END, \
            "database_oid" = CASE WHEN s."database_oid" IS NOT NULL THEN d.oid END \
            FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()
            """
        batch.add(try naming.statement(name: "name the store"))
        try row.addReading(to: &batch)
        return batch
    }

    /// Who the store is, once the batch has run.
    package func identity() throws(SwiftDataError) -> StoreIdentity {
        guard let identifier = row.identifier else {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The copied database has no store in the schema \(mapping.schemaName): its template must have been opened with the same "
                    + "schema.")
        }
        return StoreIdentity(identifier: identifier, number: row.number)
    }
}
