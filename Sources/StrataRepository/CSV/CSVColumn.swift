import StrataModels

/// One column of a CSV file, and the type of its values.
package struct CSVColumn<Value: CSVValue> {
    private let name: String
    private let index: Int
    private let file: String

    /// - Parameter index: the place of the column in each record.
    package init(_ name: String, at index: Int, in file: String) {
        (self.name, self.index, self.file) = (name, index, file)
    }

    /// Throws ``SwiftDataError`` with the code `invalidValue`, the line and the column for a field that is no value.
    package func value(in record: CSVReader.Record) throws -> Value {
        let field = record.fields[index]
        guard let value = Value(csvField: field) else {
            throw SwiftDataError(
                .invalidValue,
                "Line \(record.line) of \(file), column \(name): "
                    + (field == nil
                        ? "the field is empty, and a value is required" : "the field is no \(Value.csvTypeName)")
                    + ". Nothing was inserted.", details: field.map { "The field is: \($0)" })
        }
        return value
    }
}

/// The first record of a CSV file: the names of its columns.
package struct CSVHeader {
    private let names: [String]
    private let file: String

    /// Throws ``SwiftDataError`` with the code `invalidValue` for a file without one.
    package init(_ reader: inout CSVReader) throws {
        file = reader.name
        guard let record = try reader.next() else {
            throw SwiftDataError(
                .invalidValue, "\(reader.name) is empty. Its first line has to name the columns.")
        }
        names = record.fields.map { $0 ?? "" }
    }

    /// Where each of these columns stands.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` for a column that is missing, there twice, or not asked for.
    package func places(of wanted: [String]) throws -> [Int] {
        let missing = wanted.filter { !names.contains($0) }
        let unknown = names.filter { !wanted.contains($0) }
        let twice = wanted.filter { name in names.count { $0 == name } > 1 }
        for (columns, problem) in [
            (missing, "lacks"), (unknown, "has, besides those that are named in the call,"),
            (twice, "has more than once"),
        ] where !columns.isEmpty {
            throw SwiftDataError(
                .invalidValue,
                "\(file) \(problem) \(described(columns, wanted)). Its first line has to name the properties that are imported: "
                    + "\(wanted.joined(separator: ", ")).",
                details: columns.joined(separator: ", "))
        }
        return wanted.compactMap { names.firstIndex(of: $0) }
    }

    /// The columns by name, where the call names them; a first line that is none has values in their place.
    private func described(_ columns: [String], _ wanted: [String]) -> String {
        guard columns.allSatisfy(wanted.contains) else {
            return "\(columns.count) other \(columns.count == 1 ? "column" : "columns")"
        }
        return "the columns \(columns.map { "\"\($0)\"" }.joined(separator: ", "))"
    }

    /// Throws ``SwiftDataError`` with the code `invalidValue` and the line for a record that has fewer or more fields.
    package func check(_ record: CSVReader.Record) throws {
        guard record.fields.count != names.count else { return }
        throw SwiftDataError(
            .invalidValue,
            "Line \(record.line) of \(file) has \(record.fields.count) fields, and the first line names \(names.count) columns. Nothing was "
                + "inserted.")
    }
}
