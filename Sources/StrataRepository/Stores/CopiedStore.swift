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
    package func batch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        let naming: SQLFragment = "UPDATE \(LibrarySchema.store) SET identifier = pg_catalog.gen_random_uuid()"
        batch.add(try naming.statement(name: "name the store"))
        try row.addReading(to: &batch)
        if !mapping.entities.isEmpty {
            let adopt: SQLFragment = "SELECT \"strata\".\"history_try_adopt\"(\(bind: mapping.schemaName))"
            batch.add(try adopt.statement(name: "adopt the history"))
        }
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
