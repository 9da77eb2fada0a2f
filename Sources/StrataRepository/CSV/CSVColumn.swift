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
    package func value(in record: CSVRecord) throws -> Value {
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
