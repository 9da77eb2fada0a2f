import SwiftSyntax

/// Types that are values whatever else is declared: a relationship to one of them is a mistake the macro can see.
enum ObviousValue {
    private static let names: Set<String> = [
        "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
        "UInt32",
        "UInt64", "Double", "Float", "Bool", "Date", "Data", "UUID", "URL", "Decimal",
    ]

    /// The value's type as it is written within `type`: `Int` in `[Int]?`.
    static func spelling(in type: TypeSyntax) -> String? {
        if let optional = type.as(OptionalTypeSyntax.self) { return spelling(in: optional.wrappedType) }
        if let array = type.as(ArrayTypeSyntax.self) { return spelling(in: array.element) }
        if type.is(DictionaryTypeSyntax.self) || type.is(TupleTypeSyntax.self) { return type.trimmedDescription }
        guard let identifier = type.as(IdentifierTypeSyntax.self) else { return nil }
        if let argument = identifier.genericArgumentClause?.arguments.first, case .type(let wrapped) = argument.argument
        {
            return ["Array", "Optional", "Set"].contains(identifier.name.text) ? spelling(in: wrapped) : nil
        }
        return names.contains(identifier.name.text) ? identifier.name.text : nil
    }
}
