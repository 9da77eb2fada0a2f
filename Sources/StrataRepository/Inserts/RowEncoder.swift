import StrataClient
import StrataModels

/// Writes rows of one type into the buffers of a batch.
package struct RowEncoder<Row> {
    private let columns: [(offset: Int, property: ModelProperty, buffer: Int, encode: RowValueEncoder)]
    private let constants: [RowInsertPlan.Constant]

    init(_ values: [(offset: Int, value: RowValue)], _ plan: RowInsertPlan) {
        columns = values.flatMap { offset, value in
            value.destinations.map { (offset, value.property, $0.buffer, $0.encode) }
        }
        constants = plan.constants
    }

    /// Appends a row.
    ///
    /// Throws ``SwiftDataError`` with the number of the row, and the property, for a value that cannot be stored.
    package func append(_ row: Row, to batch: RowBatch) throws {
        try withUnsafeBytes(of: row) { bytes in
            // A row of nothing but empty types has no bytes, and nothing is read there.
            let base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
            for column in columns {
                do {
                    try column.encode(base + column.offset, &batch.buffers[column.buffer])
                } catch {
                    throw batch.unwritable(error, column.property.qualifiedName)
                }
            }
        }
        for constant in constants {
            do {
                try constant.write(&batch.buffers[constant.buffer])
            } catch {
                throw batch.unwritable(error, constant.property)
            }
        }
        batch.count += 1
    }
}
