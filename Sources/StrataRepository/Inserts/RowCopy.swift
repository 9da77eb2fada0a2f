package import StrataClient

/// The new rows of a batch on their way into one table.
package struct RowCopy {
    let table: RowInsertPlan.Table
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

    package var sql: String { table.copy }
    package var columnCount: Int { table.columns.count + (table.hasKey ? 1 : 0) }

    /// What appends one row after the other, and says when there is none.
    package func makeNextRow() -> (inout PostgresCopyRow) throws -> Bool {
        let reading = Reading(
            table.columns.map { batch.buffers[$0.buffer] }, rows: rows, keys: keys, writesKeys: table.hasKey)
        return { try reading.appendNext(to: &$0) }
    }

    /// How far the rows have come.
    private final class Reading {
        private let rows: [Int]?
        private let keys: [RowKey]
        private let writesKeys: Bool
        // Moved on for every value: without checks for overlapping access.
        @exclusivity(unchecked) private var elements: [PostgresArrayElements]
        /// The next of the keys, and the row of the batch that the elements stand at.
        @exclusivity(unchecked) private var position = 0
        @exclusivity(unchecked) private var row = 0

        init(_ columns: [PostgresArray], rows: [Int]?, keys: [RowKey], writesKeys: Bool) {
            elements = columns.map { PostgresArrayElements($0) }
            (self.rows, self.keys, self.writesKeys) = (rows, keys, writesKeys)
        }

        func appendNext(to target: inout PostgresCopyRow) throws -> Bool {
            guard position < keys.count else { return false }
            if let rows {
                while row < rows[position] {
                    for index in elements.indices { elements[index].skip() }
                    row += 1
                }
            }
            if writesKeys { try target.append(keys[position]) }
            for index in elements.indices { target.append(nextOf: &elements[index]) }
            position += 1
            row += 1
            return true
        }
    }
}
