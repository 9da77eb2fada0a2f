package import StrataClient
import StrataModels

/// The columns of one result: read once, before its first row.
package struct ResultColumns {
    let names: [String]
    let types: [UInt32]
    /// The positions of each name: two tables of a join may have columns of one name.
    private let positions: [String: [Int]]

    package init(_ description: PostgresResultDescription) {
        let all = 0..<description.columnCount
        names = all.map { description.columnName($0) }
        types = all.map { description.columnType($0) }
        positions = Dictionary(zip(names, all.map { [$0] }), uniquingKeysWith: +)
    }

    var count: Int { names.count }

    func contains(_ name: String) -> Bool { positions(of: name) != nil }

    /// The column for a property of a type.
    func position(of name: String, in type: Any.Type) throws -> Int {
        guard let found = positions(of: name) else { throw missing(name, of: type) }
        guard found.count == 1 else {
            throw SwiftDataError(
                .invalidValue,
                "The result has \(found.count) columns for \(type).\(name), all named \"\(names[found[0]])\". Select the one that is meant, or "
                    + "name it by AS.")
        }
        return found[0]
    }

    /// The columns of this name, or of the name that a property of this name has in tables.
    private func positions(of name: String) -> [Int]? { positions[name] ?? positions[Naming.snakeCase(name)] }

    func isJSON(_ column: Int) -> Bool {
        types[column] == PostgresType.jsonb.oid || types[column] == PostgresType.json.oid
    }

    /// Whether a value is read as text whose type is one of the database's own: an enumeration's value is its label, a row type's is not.
    func needsTextCheck(_ column: Int, as type: Any.Type) -> Bool {
        type == String.self && types[column] >= PostgresType.firstOfDatabase
    }

    /// Throws for what is no text: text has no zeros, which the binary form of rows, arrays and ranges is full of.
    func requireText(_ bytes: UnsafeRawBufferPointer, _ column: Int) throws {
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw misfit(
                column, String.self,
                "a value of it is no text. Cast it in the statement, as in value::text, or select its parts.")
        }
    }

    /// Throws unless there are as many columns as `type` takes.
    func requireCount(_ needed: Int, for type: Any.Type) throws {
        guard count != needed else { return }
        throw SwiftDataError(
            .invalidValue,
            "The result has \(count) column\(count == 1 ? "" : "s") (\(list)), but \(type) takes \(needed). Select as many, or read "
                + "rows into a Decodable struct.")
    }

    func missing(_ name: String, of type: Any.Type) -> SwiftDataError {
        SwiftDataError(
            .invalidValue,
            "The result has no column for \(type).\(name); it has \(list). Write AS \"\(Naming.snakeCase(name))\" behind one of them."
        )
    }

    /// A column cannot be read as what it is to be read as.
    func misfit(_ column: Int, _ type: Any.Type, _ reason: String? = nil, underlying: PostgresError? = nil)
        -> SwiftDataError
    {
        SwiftDataError(
            .invalidValue,
            "The column \"\(names[column])\" of the result is \(PostgresType.named(types[column]))"
                + (reason.map { ": \($0)" }
                    ?? ", which is not read as \(type). Cast it in the statement, or read it as another type."),
            underlying: underlying)
    }

    /// A row has the columns that a type asks for, and the type will not have their values.
    func misfit(_ type: Any.Type) -> SwiftDataError {
        guard count != 1 else { return misfit(0, type, "a value of it is no \(type).") }
        return SwiftDataError(
            .invalidValue, "A row of the result is no \(type), which does not take the values of its columns (\(list))."
        )
    }

    func unexpectedNull(_ column: Int, _ type: Any.Type) -> SwiftDataError {
        SwiftDataError(
            .invalidValue,
            "The column \"\(names[column])\" of the result is NULL in a row, but \(type) is not optional. Read it as \(type)?, or "
                + "write coalesce(…) in the statement.")
    }

    private var list: String {
        count == 0 ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
