import StrataClient
import StrataModels

/// Writes rows of one type into the buffers of a batch.
package struct RowEncoder<Row> {
    private let columns: [(offset: Int, buffer: Int, encode: RowValueEncoder)]
    /// The property of each column, for errors.
    private let properties: [ModelProperty]
    private let constants: [RowInsertPlan.Constant]
    /// What writes rows that name their values by keys; `nil` where these stand at places.
    private let keyed: ((Row, RowBatch) throws -> Void)?

    init(keyed write: @escaping (Row, RowBatch) throws -> Void, _ plan: RowInsertPlan) {
        (columns, properties, constants) = ([], [], plan.constants)
        keyed = write
    }

    init(_ values: [(offset: Int, value: RowValue)], _ plan: RowInsertPlan) {
        columns = values.flatMap { offset, value in
            value.destinations.map { (offset, $0.buffer, $0.encode) }
        }
        properties = values.flatMap { value in value.value.destinations.map { _ in value.value.property } }
        constants = plan.constants
        keyed = nil
    }

    /// Appends a row.
    ///
    /// Throws ``SwiftDataError`` with the number of the row, and the property, for a value that cannot be stored.
    package func append(_ row: Row, to batch: RowBatch) throws {
        if let keyed { try keyed(row, batch) } else { try appendPlaces(of: row, to: batch) }
        for constant in constants {
            do {
                try constant.write(&batch.buffers[constant.buffer])
            } catch {
                throw batch.unwritable(error, constant.property)
            }
        }
        batch.count += 1
    }

    private func appendPlaces(of row: Row, to batch: RowBatch) throws {
        try withUnsafeBytes(of: row) { bytes in
            // A row of nothing but empty types has no bytes, and nothing is read there.
            let base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
            for index in columns.indices {
                do {
                    try columns[index].encode(base + columns[index].offset, &batch.buffers[columns[index].buffer])
                } catch {
                    throw batch.unwritable(error, properties[index].qualifiedName)
                }
            }
        }
    }
}
