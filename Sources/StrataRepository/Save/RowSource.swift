import StrataClient
import StrataModels

/// The rows that a statement writes, as a table `u` in it.
///
/// Many are arrays, one a column, so that the text is the same for any number of them. A single row is plain values: PostgreSQL
/// then keeps one plan for the statement, where arrays, whose length matters, are planned each time (PostgreSQL manual,
/// PREPARE).
enum RowSource {
    /// Appends the columns to the parameters.
    ///
    /// - Returns: what follows `FROM`.
    static func append(
        _ columns: [(name: String, values: PostgresArray)], to parameters: inout PostgresParameters
    ) throws -> String {
        let first = parameters.count + 1
        if columns.allSatisfy({ $0.values.count == 1 }) {
            let values = columns.enumerated().map { "$\(first + $0)::\($1.values.elementType) AS \($1.name)" }
            for column in columns { parameters.append(onlyElementOf: column.values) }
            return "(SELECT \(values.joined(separator: ", "))) AS u"
        }
        for column in columns { try parameters.append(column.values) }
        return rows(columns.map { ($0.name, $0.values.elementType) }, firstParameter: first)
    }

    /// What follows `FROM` for arrays, from the parameter with this number on.
    static func rows(_ columns: [(name: String, type: PostgresType)], firstParameter first: Int) -> String {
        let arrays = columns.enumerated().map { "$\(first + $0)::\($1.type.array)" }
        return "unnest(\(arrays.joined(separator: ", "))) AS u(\(columns.map(\.name).joined(separator: ", ")))"
    }
}
