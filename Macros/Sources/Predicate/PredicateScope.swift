import SwiftSyntax

/// The names that stand for nodes while a closure is translated: its parameters and what `let` and `if let` bind.
struct PredicateScope {
    /// From the name in the source (`trip`, `$0`) to the constant in the expansion.
    private var names: [String: String] = [:]

    /// The node a name stands for, if it is not an ordinary captured value.
    subscript(name: String) -> String? { names[name] }

    /// A scope in which `name` stands for the constant `emitted`.
    func binding(_ name: String, to emitted: String) -> PredicateScope {
        var copy = self
        copy.names[name] = emitted
        return copy
    }

    /// A scope in which `names` are ordinary captured values.
    func hiding(_ hidden: some Sequence<String>) -> PredicateScope {
        var copy = self
        for name in hidden { copy.names[name] = nil }
        return copy
    }

    /// Whether any part of `syntax` needs a node, so that the whole cannot be captured as a value.
    func isMentioned(in syntax: some SyntaxProtocol) -> Bool {
        if let reference = syntax.as(DeclReferenceExprSyntax.self) {
            return names[reference.baseName.text] != nil
        }
        if let member = syntax.as(MemberAccessExprSyntax.self) {
            // The member's own name is not a reference to a variable of that name.
            return member.base.map { isMentioned(in: $0) } ?? false
        }
        if let binding = syntax.as(OptionalBindingConditionSyntax.self), binding.initializer == nil {
            return binding.pattern.as(IdentifierPatternSyntax.self).map { names[$0.identifier.text] != nil } ?? false
        }
        if let closure = syntax.as(ClosureExprSyntax.self) {
            let inner = hiding(closure.parameterNames)
            return closure.statements.contains { inner.isMentioned(in: $0) }
        }
        return syntax.children(viewMode: .sourceAccurate).contains { isMentioned(in: $0) }
    }
}

extension ClosureExprSyntax {
    /// The names the closure's own parameters and captures take from the code around it.
    var parameterNames: [String] {
        let captures = signature?.capture?.items.map(\.name.text) ?? []
        switch signature?.parameterClause {
        case .simpleInput(let list): return captures + list.map(\.name.text)
        case .parameterClause(let clause):
            return captures + clause.parameters.map { ($0.secondName ?? $0.firstName).text }
        default: return captures + (0...9).map { "$\($0)" }
        }
    }
}
