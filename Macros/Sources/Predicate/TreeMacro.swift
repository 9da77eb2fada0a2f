import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A macro that turns a closure into a tree of nodes.
protocol TreeMacro: ExpressionMacro {
    /// The type that makes what the macro stands for, and the function that does.
    static var body: String { get }
    static var function: String { get }
    /// What the tree is where the closure was refused.
    static var refused: String { get }
}

extension TreeMacro {
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
            return standIn(generics)
        }
        if let second = closure.secondParameter {
            context.diagnose(PredicateDiagnostic.oneInput.diagnose(at: second))
            return standIn(generics)
        }
        let translator = PredicateTranslator(freshNamesFor: closure)
        let tree = translator.translateBody(of: closure, role: "input")
        for diagnostic in translator.diagnostics { context.diagnose(diagnostic) }
        guard let tree else { return standIn(generics) }
        let source = StringLiteralExprSyntax(content: summary(of: closure))
        return "\(raw: body)\(raw: generics).\(raw: function)(\(source)) \(raw: tree)"
    }

    /// The closure on one line, for logs.
    private static func summary(of closure: ClosureExprSyntax) -> String {
        closure.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// What stands in for a closure that was refused, so that the diagnostic is the only error.
    private static func standIn(_ generics: String) -> ExprSyntax {
        "\(raw: body)\(raw: generics).\(raw: function)(\"\") { _ in \(raw: refused) }"
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
