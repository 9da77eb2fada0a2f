import StrataClient
import StrataRepository

/// A condition on one property, as a form has it: property, operator, value.
public struct PropertyFilter: Sendable, Equatable {
    /// How a value is compared.
    public enum Operator: String, Sendable, CaseIterable {
        /// The same value.
        case equal
        /// Another value; NULL is one.
        case notEqual
        /// Less than.
        case less
        /// Less than, or the same.
        case lessOrEqual
        /// More than.
        case greater
        /// More than, or the same.
        case greaterOrEqual
        /// The value as text has this in it, in whatever case.
        case contains
        /// The value as text begins with exactly this.
        case begins
        /// NULL.
        case isNull
        /// Not NULL.
        case isNotNull

        /// Whether it compares with a value.
        public var takesValue: Bool { self != .isNull && self != .isNotNull }
    }

    /// The property's name.
    public var property: String
    /// How it is compared.
    public var comparison: Operator
    /// With what, as it was typed in. A parameter of the statement, never part of its text.
    public var value: String

    /// A condition on a property.
    public init(property: String, comparison: Operator, value: String = "") {
        self.property = property
        self.comparison = comparison
        self.value = value
    }
}

extension PropertyFilter {
    /// The condition on a column. The value travels as text, and the server reads it as one of the column's type.
    ///
    /// Values of types that are not the server's own are compared as texts: reading one may run functions of the type's owner.
    func condition(on column: SQLFragment, type: String) -> SQLFragment {
        // `json` has no comparison; what it would mean is that of jsonb.
        let isJSON = type == "json"
        let isOwn = type.isServersOwn
        let written = column.text(ofType: type)
        let operand: SQLFragment = isJSON ? "\(column)::jsonb" : isOwn ? column : "(\(written))"
        let typed: SQLFragment =
            isOwn ? "\(bind: value)::\(raw: isJSON ? "jsonb" : type.typeWithoutModifier)" : "\(bind: value)"
        // Columns are COLLATE "C", by which upper and lower case are the same letter in ASCII only.
        let text: SQLFragment = #"(\#(written)) COLLATE "default""#
        return switch comparison {
        case .equal: "\(operand) = \(typed)"
        case .notEqual: "\(operand) IS DISTINCT FROM \(typed)"
        case .less: "\(operand) < \(typed)"
        case .lessOrEqual: "\(operand) <= \(typed)"
        case .greater: "\(operand) > \(typed)"
        case .greaterOrEqual: "\(operand) >= \(typed)"
        case .contains: #"strpos(lower(\#(text)), lower(\#(bind: value) COLLATE "default")) > 0"#
        case .begins: "starts_with(\(written), \(bind: value))"
        case .isNull: "\(column) IS NULL"
        case .isNotNull: "\(column) IS NOT NULL"
        }
    }
}
