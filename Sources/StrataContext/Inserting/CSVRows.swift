import Foundation
import StrataModels
import StrataRepository

/// The rows of a CSV file as tuples of the types that a call has named.
struct CSVRows<Row> {
    private var reader: CSVReader
    private let make: (CSVRecord) throws -> Row

    /// - Parameter names: what the columns are called, in the order of the types.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` where the file's columns are others.
    init<each Value: CSVValue>(_ reader: CSVReader, _ names: [String], of types: repeat (each Value).Type) throws
    where Row == (repeat each Value) {
        self.reader = reader
        var columns = zip(names, try reader.header.places(of: names)).makeIterator()
        let file = reader.name
        func column<V: CSVValue>(_: V.Type) -> CSVColumn<V> {
            let (name, place) = columns.next() ?? ("", 0)
            return CSVColumn(name, at: place, in: file)
        }
        let typed = (repeat column(each types))
        var mayBeEmpty: [Bool] = []
        repeat mayBeEmpty.append((each Value).isFieldWithoutValue)
        self.reader.keepsEmptyLines = mayBeEmpty == [true]
        make = { record in (repeat try (each typed).value(in: record)) }
    }

    /// The next row; `nil` at the end. Blocks this thread.
    mutating func next() throws -> Row? { try reader.next().map(row) }

    /// The next row; `nil` at the end. As the blocking form.
    mutating func next() async throws -> Row? { try await reader.next().map(row) }

    private func row(_ record: CSVRecord) throws -> Row {
        try reader.header.check(record)
        return try make(record)
    }
}

extension CSVValue {
    /// Whether a field without text is a value of the type, and written so: `nil` of an optional.
    fileprivate static var isFieldWithoutValue: Bool { Self(csvField: nil).map { $0.csvField == nil } ?? false }
}
