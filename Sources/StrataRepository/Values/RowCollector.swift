package import StrataClient

/// Takes the rows of a result, and makes something of each.
package struct RowCollector<Row> {
    package let append: (PostgresRow) throws -> Void
    /// What was made so far, which is then no longer here.
    package let takeAll: () -> [Row]

    /// Rows that stay where they are made.
    init(_ rows: PlacedRows<Row>) {
        append = rows.append
        takeAll = rows.takeAll
    }

    /// What `make` makes of each row.
    init(_ make: @escaping (PostgresRow) throws -> Row) {
        self.init(
            PlacedRows(each: PlacedReader { row, place in place.initializeMemory(as: Row.self, to: try make(row)) }))
    }
}
