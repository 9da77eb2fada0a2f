import StrataClient

/// The row of one store in `strata.store`.
final class StoreRow {
    private let schemaName: String
    private(set) var identifier: String?
    private(set) var number: Int32?

    init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    func addReading(to batch: inout PostgresBatch) throws {
        // Tables of earlier versions have no number.
        let query: SQLFragment = """
            SELECT "identifier"::text, (to_jsonb(s)->>'number')::integer FROM \(LibrarySchema.store) AS s
            WHERE "schema_name" = \(bind: schemaName)
            """
        batch.add(
            try query.statement(name: "read the store's identifier"),
            onRow: { row in
                self.identifier = try row.decode(0, as: String.self)
                self.number = try row.decodeIfPresent(1, as: Int32.self)
            })
    }

    func addInsertion(to batch: inout PostgresBatch) throws {
        let insertion: SQLFragment =
            "INSERT INTO \(LibrarySchema.store) (\"schema_name\") VALUES (\(bind: schemaName)) ON CONFLICT DO NOTHING"
        batch.add(try insertion.statement(name: "name the store"))
    }
}
