import StrataExpansion
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Predicate`.
struct PredicateMacro: ExpressionMacro {
    /// Captured parts keep their layout, on which a string of several lines depends.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        PredicateExpansion.expand(node, in: context)
    }
}
