import StrataExpansion
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Predicate`.
struct PredicateMacro: ExpressionMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        PredicateExpansion.expand(node, in: context)
    }
}
