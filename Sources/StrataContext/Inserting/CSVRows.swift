import Foundation
import StrataModels
import StrataRepository

/// The rows of a CSV file as tuples of the types that a call has named.
struct CSVRows<Row> {
    private var reader: CSVReader
    private let header: CSVHeader
    private let make: (CSVReader.Record) throws -> Row

    /// Reads the header.
    ///
    /// - Parameter names: what the columns are called, in the order of the types.
    init<each Value: CSVValue>(_ url: URL, _ names: [String], of types: repeat (each Value).Type) throws
    where Row == (repeat each Value) {
        var reader = try CSVReader(url)
        header = try CSVHeader(&reader)
        var columns = zip(names, try header.places(of: names)).makeIterator()
        let file = reader.name
        func column<V: CSVValue>(_: V.Type) -> CSVColumn<V> {
            let (name, place) = columns.next() ?? ("", 0)
            return CSVColumn(name, at: place, in: file)
        }
        let typed = (repeat column(each types))
        var mayBeEmpty: [Bool] = []
        repeat mayBeEmpty.append((each Value).isFieldWithoutValue)
        reader.keepsEmptyLines = mayBeEmpty == [true]
        make = { record in (repeat try (each typed).value(in: record)) }
        self.reader = reader
    }

    /// The next row; `nil` at the end.
    mutating func next() throws -> Row? {
        guard let record = try reader.next() else { return nil }
        try header.check(record)
        return try make(record)
    }
}

extension CSVValue {
    /// Whether a field without text is a value of the type, and written so: `nil` of an optional.
    fileprivate static var isFieldWithoutValue: Bool { Self(csvField: nil).map { $0.csvField == nil } ?? false }
}
