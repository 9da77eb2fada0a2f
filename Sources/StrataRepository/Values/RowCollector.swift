package import StrataClient

/// Takes the rows of a result, and makes something of each.
package struct RowCollector<Row> {
    package let append: (PostgresRow) throws -> Void
    /// What was made so far, which is then no longer here.
    package let takeAll: () -> [Row]

    /// Tuples, which stay where they are read.
    init(_ rows: PlacedRows<Row>) {
        append = rows.append
        takeAll = rows.takeAll
    }

    /// What `make` makes of each row.
    init(_ make: @escaping (PostgresRow) throws -> Row) {
        let made = Made<Row>()
        append = { made.rows.append(try make($0)) }
        takeAll = {
            defer { made.rows = [] }
            return made.rows
        }
    }
}

private final class Made<Row> {
    var rows: [Row] = []
}
