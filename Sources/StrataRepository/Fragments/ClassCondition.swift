/// Which rows of the root's table are objects of a class and of those below it: by what stands in the class column, and compared in the type
/// that the column has, so that an index on it serves.
package struct ClassCondition: Sendable {
    /// The class column.
    package let column: String
    /// What stands there, as it is read.
    package let values: [String]
    /// How the server converts the column; `nil` where it is a text.
    let conversion: ColumnConversion?

    /// The condition on a row, with the values in a parameter.
    func isMet(by row: String, parameter: Int) -> String {
        "\(row).\(SQLFragment.quoted(column)) = ANY(\(inType("$\(parameter)::text[]")))"
    }

    /// The condition on what stands in the column, as it is in its table.
    func isMet(by stored: SQLFragment) -> SQLFragment {
        guard values.count == 1 else { return "\(stored) = ANY(\(inType("\(bind: values)" as SQLFragment)))" }
        let value: SQLFragment = "\(bind: values[0])"
        return "\(stored) = \(conversion?.writing(value) ?? value)"
    }

    /// The condition on what was read of the column as a text.
    func isMet(byText text: SQLFragment) -> SQLFragment {
        values.count == 1 ? "\(text) = \(bind: values[0])" : "\(text) = ANY(\(bind: values))"
    }

    private func inType(_ array: String) -> String { conversion.map { "\(array)::\($0.written)[]" } ?? array }
    private func inType(_ array: SQLFragment) -> SQLFragment {
        conversion.map { "(\(array))::\(raw: $0.written)[]" } ?? array
    }
}

extension EntityMapping {
    /// Which rows of the root's table are objects of this class and those below it; `nil` where no column says so.
    package var classCondition: ClassCondition? {
        classColumn.map { name in
            let conversion = root.conversion(of: name)
            // What is no value of the column's type cannot be compared with it, and no row is of an abstract class.
            let classes = conversion == nil ? family : family.filter { !$0.entity.isAbstract }
            return ClassCondition(column: name, values: classes.map(\.discriminator), conversion: conversion)
        }
    }

    /// Which of those are objects of this class itself.
    var exactCondition: ClassCondition? {
        classColumn.map {
            ClassCondition(column: $0, values: [discriminator], conversion: root.conversion(of: $0))
        }
    }

    /// Which rows of its table are objects of this class, which shares it with others; `nil` where all rows of the table are such objects.
    package var ownRows: ClassCondition? { base === self ? nil : classCondition }
}
