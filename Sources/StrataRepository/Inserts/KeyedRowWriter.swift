import StrataClient
import StrataModels

/// Writes rows of an `Encodable` type into the buffers of a batch, each value under its key.
package final class KeyedRowWriter: KeyedValues {
    private let columns: [RowValue]
    private let entity: EntityMapping
    private var batch: RowBatch?
    /// How many rows were begun, and in which of them each column was written last.
    private var row = 0
    private var written: [Int]
    private var count = 0
    /// Where the next key is expected: rows name them in one order, as a rule.
    private var next = 0
    private var isRefused = false

    init(_ plan: RowInsertPlan) {
        columns = plan.values
        entity = plan.entity
        written = Array(repeating: 0, count: plan.values.count)
    }

    /// Writes the values of a row; what is the same in all rows is written behind them.
    ///
    /// Throws ``SwiftDataError`` with the number of the row for a key that other rows do not have, or that it has not.
    package func write<Row: Encodable>(_ row: Row, to batch: RowBatch) throws {
        (self.batch, count, next) = (batch, 0, 0)
        self.row += 1
        try row.encode(to: KeyedValueEncoder(values: self))
        guard !isRefused else { throw RowKeys.refusal(Row.self) }
        guard count == columns.count else {
            let missing = columns.indices.filter { written[$0] != self.row }.map { columns[$0].property.name }
            throw refusal("it has no \(missing.joined(separator: ", ")), which the first row has")
        }
    }

    func refuse() { isRefused = true }

    func take<Value>(_ value: Value, _ key: String) throws {
        let column = try column(key)
        if Value.self == column.type {
            try withUnsafePointer(to: value) { try write($0, column) }
        } else if Value?.self == column.type {
            try withUnsafePointer(to: Optional(value)) { try write($0, column) }
        } else if let optional = value as? any WrittenOptional {
            guard try optional.write(to: column, write) else {
                throw unwritable(column, "it is nil, and required")
            }
        } else {
            throw unwritable(column, "it is \(Value.self), not \(column.type)")
        }
    }

    func takeNothing(_ key: String) throws {
        let column = try column(key)
        guard unwrappedType(column.type) != column.type, let batch else {
            throw unwritable(column, "it is nil, and required")
        }
        for destination in column.destinations { batch.buffers[destination.buffer].appendNull() }
    }

    private func column(_ key: String) throws -> RowValue {
        var place = next
        if place >= columns.count || columns[place].property.name != key {
            guard let known = columns.firstIndex(where: { $0.property.name == key }) else {
                throw refusal("it has a value for \(key), which the first row has not")
            }
            place = known
        }
        guard written[place] != row else { throw refusal("it names \(key) twice") }
        written[place] = row
        count += 1
        next = place + 1
        return columns[place]
    }

    private func write(_ place: UnsafeRawPointer, _ column: RowValue) throws {
        guard let batch else { return }
        for destination in column.destinations {
            do { try destination.encode(place, &batch.buffers[destination.buffer]) } catch {
                throw batch.unwritable(error, column.property.qualifiedName)
            }
        }
    }

    private func unwritable(_ column: RowValue, _ problem: String) -> SwiftDataError {
        refusal("\(column.property.qualifiedName) cannot be stored: \(problem)")
    }

    private func refusal(_ problem: String) -> SwiftDataError {
        SwiftDataError(.invalidValue, "\(batch.map { $0.name(ofRow: $0.count) } ?? "A row"): \(problem).")
    }
}

/// `Optional`, whose value is written where there is one.
private protocol WrittenOptional {
    /// False for `nil`, and for a value of another type.
    func write(to column: RowValue, _ write: (UnsafeRawPointer, RowValue) throws -> Void) throws -> Bool
}

extension Optional: WrittenOptional {
    fileprivate func write(to column: RowValue, _ write: (UnsafeRawPointer, RowValue) throws -> Void) throws -> Bool {
        guard let value = self, Wrapped.self == column.type else { return false }
        try withUnsafePointer(to: value) { try write($0, column) }
        return true
    }
}
