import SwiftSyntax

/// A `#Unique<Trip>(…)` or `#Index<Trip>(…)` in the body of a model.
struct ConstraintDeclaration {
    enum Kind: String {
        case unique = "Unique"
        case index = "Index"
    }

    let kind: Kind
    let syntax: MacroExpansionDeclSyntax

    /// Reads a macro expansion, or gives `nil` for any other macro.
    init?(_ syntax: MacroExpansionDeclSyntax) {
        guard let kind = Kind(rawValue: syntax.macroName.text) else { return nil }
        self.kind = kind
        self.syntax = syntax
    }

    /// The type in angle brackets.
    var target: TypeSyntax? {
        guard case .type(let type) = syntax.genericArgumentClause?.arguments.first?.argument else { return nil }
        return type
    }

    /// The lists of key paths: the arguments themselves, or the arrays within `.binary([…])` and the like.
    var lists: [ArrayExprSyntax] {
        syntax.arguments.compactMap { argument in
            let call = argument.expression.as(FunctionCallExprSyntax.self)
            return (call?.arguments.first?.expression ?? argument.expression).as(ArrayExprSyntax.self)
        }
    }
}
