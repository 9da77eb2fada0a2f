// What the server makes of values on their way to columns and back: to somebody else's, and to those of a type that a model knows by its name.
extension EntityMapping {
    /// A value as the server has made it that stores it in a column, for comparisons with ``asRead(_:column:)``.
    func asStored(_ value: String, in column: Column?) -> String {
        guard let column else { return value }
        if tables == .external, let type = found.rounding[column.name] { return "\(value)::\(type)" }
        return asRead(asWritten(value, in: column), in: column)
    }

    /// How the values of a column are converted; `nil` for nearly all.
    func conversion(of name: String) -> ColumnConversion? {
        if let declared = declaredConversions[name] { return declared }
        return tables == .external ? found.converted[name] : nil
    }

    /// A value for a column, in the type that it has.
    func asWritten(_ value: String, in column: Column?) -> String {
        guard let column else { return value }
        return asWritten(value, named: column.name)
    }

    /// The same by the column's name.
    func asWritten(_ value: String, named name: String) -> String { conversion(of: name)?.writing(value) ?? value }

    /// The same for a fragment.
    func asWritten(_ value: SQLFragment, named name: String) -> SQLFragment {
        conversion(of: name)?.writing(value) ?? value
    }

    /// What stands in a column, in the type of the model.
    func asRead(_ value: String, in column: Column?) -> String {
        guard let column else { return value }
        return conversion(of: column.name)?.reading(value) ?? value
    }

    /// The same for a fragment, as an operand of anything.
    func asRead(_ value: SQLFragment, named name: String) -> SQLFragment {
        conversion(of: name)?.reading(value) ?? value
    }
}

extension ColumnConversion {
    /// What stands in the column, in the type of the model, as an operand of anything.
    func reading(_ column: SQLFragment) -> SQLFragment { "(\(raw: reading.before)\(column)\(raw: reading.after))" }

    /// An expression for the column.
    func writing(_ value: SQLFragment) -> SQLFragment { "(\(value))::\(raw: written)" }
}
