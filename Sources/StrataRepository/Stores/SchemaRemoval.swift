package import StrataClient

/// Drops a schema that was made to be thrown away, and forgets its store and its history.
package struct SchemaRemoval: StoreOperation {
    private let schemaName: String
    private var isSent = false

    package init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        let drop: SQLFragment = "DROP SCHEMA IF EXISTS \(identifier: schemaName) CASCADE"
        let forgetHistory: SQLFragment = "SELECT \"strata\".\"history_forget\"(\(bind: schemaName))"
        let forget: SQLFragment = "DELETE FROM \(LibrarySchema.store) WHERE schema_name = \(bind: schemaName)"
        var batch = PostgresBatch()
        batch.add(try drop.statement(name: "drop throw-away schema"))
        batch.add(try forgetHistory.statement(name: "forget throw-away history"))
        batch.add(try forget.statement(name: "forget throw-away store"))
        return batch
    }
}
