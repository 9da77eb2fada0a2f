package import StrataClient

/// Empties the tables of a store.
package struct StoreErasure: StoreOperation {
    private let tables: [TableName]
    private var isSent = false

    package init(_ mapping: StoreMapping) {
        tables = mapping.entities.filter { !$0.isView }.map(\.table) + mapping.joinTables.map(\.table)
    }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent, !tables.isEmpty else { return nil }
        isSent = true
        // All in one statement: tables that refer to each other can only be emptied together.
        let sql: SQLFragment = "TRUNCATE \(tables.map { "\($0)" as SQLFragment }.joined(separator: ", "))"
        return PostgresBatch(try sql.statement(name: "erase"))
    }
}
