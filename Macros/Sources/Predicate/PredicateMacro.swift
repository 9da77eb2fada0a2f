import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `#Predicate`: turns the closure into the expression tree that Foundation's `Predicate` holds.
///
/// The tree is written as a list of constants, one for each node, and not as one nested expression: the compiler then
/// checks each node by itself, so a long predicate takes no longer to compile than its parts.
///
///     { $0.name == "Lyon" }
///
///     PredicateBody.predicate(#"{ $0.name == "Lyon" }"#) { input in
///         let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \.name)
///         let part2 = PredicateExpressions.build_Arg("Lyon", for: part1)
///         let part3 = PredicateExpressions.build_EqualNodes(lhs: part1, rhs: part2)
///         return part3
///     }
struct PredicateMacro: ExpressionMacro {
    /// Captured parts keep their layout, on which a string of several lines depends.
    static var formatMode: FormatMode { .disabled }

    /// Expands one use of the macro; what cannot be expressed is reported to `context` at its token.
    static func expansion(
        of macro: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        let generics = macro.genericArgumentClause?.trimmedDescription ?? ""
        guard let closure = closure(of: macro) else {
            context.diagnose(PredicateDiagnostic.needsClosure.diagnose(at: Syntax(macro)))
            return neverMatching(generics)
        }
        if let second = closure.secondParameter {
            context.diagnose(PredicateDiagnostic.oneInput.diagnose(at: second))
            return neverMatching(generics)
        }
        let translator = PredicateTranslator(freshNamesFor: closure)
        let body = translator.translateBody(of: closure, role: "input")
        for diagnostic in translator.diagnostics { context.diagnose(diagnostic) }
        guard let body else { return neverMatching(generics) }
        let source = StringLiteralExprSyntax(content: summary(of: closure))
        return "PredicateBody\(raw: generics).predicate(\(source)) \(raw: body)"
    }

    /// The closure on one line, for logs.
    private static func summary(of closure: ClosureExprSyntax) -> String {
        closure.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// What stands in for a predicate that was refused, so that the diagnostic is the only error.
    private static func neverMatching(_ generics: String) -> ExprSyntax {
        "PredicateBody\(raw: generics).predicate(\"\") { _ in PredicateExpressions.build_Arg(false) }"
    }

    private static func closure(of macro: some FreestandingMacroExpansionSyntax) -> ClosureExprSyntax? {
        if let trailing = macro.trailingClosure { return trailing }
        return macro.arguments.first?.expression.as(ClosureExprSyntax.self)
    }
}

extension ClosureExprSyntax {
    /// The closure's second parameter, or the first use of `$1`.
    fileprivate var secondParameter: Syntax? {
        switch signature?.parameterClause {
        case .simpleInput(let list): list.dropFirst().first.map(Syntax.init)
        case .parameterClause(let clause): clause.parameters.dropFirst().first.map(Syntax.init)
        default: Self.secondParameter(in: Syntax(statements))
        }
    }

    private static func secondParameter(in syntax: Syntax) -> Syntax? {
        // A closure inside has parameters of its own.
        if syntax.is(ClosureExprSyntax.self) { return nil }
        if syntax.as(TokenSyntax.self)?.tokenKind == .dollarIdentifier("$1") { return syntax }
        return syntax.children(viewMode: .sourceAccurate).lazy.compactMap { secondParameter(in: $0) }.first
    }
}
