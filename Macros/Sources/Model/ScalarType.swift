import SwiftSyntax

/// The types that most properties have: rows and states have functions of their own for them.
///
/// Only a name is known here. Somebody's own type of that name is read and written like any other.
struct ScalarType {
    /// What ends the names of these functions: `OptionalDate` in `readOptionalDate`.
    let suffix: String

    /// The type as it is written.
    init?(_ type: TypeSyntax) {
        if let optional = type.as(OptionalTypeSyntax.self) {
            guard let name = Self.name(optional.wrappedType) else { return nil }
            suffix = "Optional\(name)"
        } else {
            guard let name = Self.name(type) else { return nil }
            suffix = name
        }
    }

    /// The type of an initial value: of a literal, or of a call such as `Date()`.
    init?(of value: ExprSyntax) {
        switch value.kind {
        case .stringLiteralExpr: suffix = "String"
        case .integerLiteralExpr: suffix = "Int"
        case .floatLiteralExpr: suffix = "Double"
        case .booleanLiteralExpr: suffix = "Bool"
        default:
            let callee =
                value.as(FunctionCallExprSyntax.self)?.calledExpression ?? value.as(MemberAccessExprSyntax.self)?.base
            guard let name = callee?.as(DeclReferenceExprSyntax.self)?.baseName.text, Self.names.contains(name),
                value.is(FunctionCallExprSyntax.self) || name == "Date"
            else { return nil }
            suffix = name
        }
    }

    private static let names: Set = ["String", "Int", "Double", "Bool", "Date"]

    private static func name(_ type: TypeSyntax) -> String? {
        guard let identifier = type.as(IdentifierTypeSyntax.self), identifier.genericArgumentClause == nil,
            names.contains(identifier.name.text)
        else { return nil }
        return identifier.name.text
    }
}
