import StrataModels

/// The first record of a CSV file: the names of its columns.
package struct CSVHeader {
    private let names: [String]
    private let file: String

    /// Throws ``SwiftDataError`` with the code `invalidValue` for a file without one.
    init(_ record: CSVRecord?, of file: String) throws {
        self.file = file
        guard let record else {
            throw SwiftDataError(.invalidValue, "\(file) is empty. Its first line has to name the columns.")
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
    package func check(_ record: CSVRecord) throws {
        guard record.fields.count != names.count else { return }
        throw SwiftDataError(
            .invalidValue,
            "Line \(record.line) of \(file) has \(record.fields.count) fields, and the first line names \(names.count) columns. Nothing was "
                + "inserted.")
    }
}
