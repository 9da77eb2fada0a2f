import StrataClient
import StrataModels

/// The new rows of a batch on their way into one table that takes no COPY, or whose columns are converted, as arrays: one a column.
struct RowArrays {
    private let table: RowInsertPlan.Table
    private let batch: RowBatch
    private let rows: [Int]?
    private let keys: [RowKey]

    /// - Parameters:
    ///   - rows: which rows of the batch, ascending; `nil` for all.
    ///   - keys: the key of each.
    init(_ batch: RowBatch, _ table: RowInsertPlan.Table, rows: [Int]?, keys: [RowKey]) {
        self.table = table
        self.batch = batch
        self.rows = rows
        self.keys = keys
    }

    func statement() throws -> PostgresStatement {
        var names: [String] = []
        var columns: [(name: String, values: PostgresArray)] = []
        var values: [String] = []
        if table.hasKey {
            names = table.entity.key.names
            columns.append(("pk", try PostgresArray(keys, of: table.entity.keyKind)))
            values.append("u.pk")
        }
        for (index, column) in table.columns.enumerated() {
            names.append(column.name)
            columns.append(("c\(index)", self.values(column.transported)))
            let value = "u.c\(index)" + (column.cast.map { "::\($0)" } ?? "")
            values.append(table.entity.asWritten(value, named: column.name))
        }
        var parameters = PostgresParameters()
        let source = try RowSource.append(columns, to: &parameters)
        let list = names.map { SQLFragment.quoted($0) }.joined(separator: ", ")
        return PostgresStatement(
            .interned(
                "INSERT INTO \(table.entity.table.target) (\(list))\(table.entity.overriding) SELECT \(values.joined(separator: ", ")) FROM \(source)"
            ),
            parameters: parameters, name: "insert rows into \(table.entity.table.name)", entity: table.entity.name)
    }

    private func values(_ buffer: Int) -> PostgresArray {
        let all = batch.buffers[buffer]
        guard let rows, rows.count < batch.count else { return all }
        var elements = PostgresArrayElements(all)
        var values = PostgresArray(elementType: all.elementType, reservingCapacity: rows.count)
        var row = 0
        for wanted in rows {
            while row < wanted {
                elements.skip()
                row += 1
            }
            values.append(nextOf: &elements)
            row += 1
        }
        return values
    }
}
