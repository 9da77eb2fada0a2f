import StrataClient

/// The row of one store in `strata.store`.
final class StoreRow {
    private let schemaName: String
    private(set) var identifier: String?

    init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    func addReading(to batch: inout PostgresBatch) throws {
        let query: SQLFragment =
            "SELECT \"identifier\"::text FROM \(LibrarySchema.store) WHERE \"schema_name\" = \(bind: schemaName)"
        batch.add(
            try query.statement(name: "read the store's identifier"),
            onRow: { row in self.identifier = try row.decode(0, as: String.self) })
    }

    func addInsertion(to batch: inout PostgresBatch) throws {
        let insertion: SQLFragment =
            "INSERT INTO \(LibrarySchema.store) (\"schema_name\") VALUES (\(bind: schemaName)) ON CONFLICT DO NOTHING"
        batch.add(try insertion.statement(name: "name the store"))
    }
}
