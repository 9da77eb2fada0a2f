import SwiftSyntax

/// What is wrong with the condition of a unique set, an index or a check, or with the expression of a generated property.
///
/// It becomes part of the table, and so must say the same whenever it is read: it holds properties, cases of enumerations, and
/// literals.
struct ConditionChecks {
    let condition: ExprSyntax
    let constraint: ConstraintDeclaration

    func diagnostics() -> [ModelDiagnostic] {
        guard let closure = condition.as(ClosureExprSyntax.self) else {
            return [
                ModelDiagnostic(
                    condition,
                    "the \(constraint.conditionWord) of '#\(constraint.kind.rawValue)' is written in place, as in { $0.price > 0 }"
                )
            ]
        }
        return captures(in: Syntax(closure), known: declaredNames(in: Syntax(closure)))
            + (constraint.kind == .generated ? forced(in: Syntax(closure)) : [])
    }

    /// What ends in an error in memory, and in NULL in a column.
    private func forced(in syntax: Syntax) -> [ModelDiagnostic] {
        // The source of a class has its operators in a row.
        let isCast = syntax.as(UnresolvedAsExprSyntax.self)?.questionOrExclamationMark?.tokenKind == .exclamationMark
        guard syntax.is(ForceUnwrapExprSyntax.self) || isCast else {
            return syntax.children(viewMode: .sourceAccurate).flatMap { forced(in: $0) }
        }
        return [
            ModelDiagnostic(
                syntax,
                "the expression of '#Generated' has no '!': a row without the value would have NULL where memory has an error; say with '??' or 'flatMap' what it has then"
            )
        ]
    }

    /// The names that the condition itself declares: parameters of closures, and what `let` binds.
    private func declaredNames(in syntax: Syntax) -> Set<String> {
        var names: Set<String> = []
        if let closure = syntax.as(ClosureExprSyntax.self) { names.formUnion(closure.parameterNames) }
        if let pattern = syntax.as(IdentifierPatternSyntax.self) { names.insert(pattern.identifier.text) }
        for child in syntax.children(viewMode: .sourceAccurate) { names.formUnion(declaredNames(in: child)) }
        return names
    }

    private func captures(in syntax: Syntax, known: Set<String>) -> [ModelDiagnostic] {
        if let member = syntax.as(MemberAccessExprSyntax.self) {
            // The member's own name is none of a variable.
            return member.base.map { captures(in: Syntax($0), known: known) } ?? []
        }
        if syntax.is(KeyPathExprSyntax.self) || syntax.is(TypeSyntax.self) { return [] }
        if let call = syntax.as(FunctionCallExprSyntax.self),
            let callee = call.calledExpression.as(DeclReferenceExprSyntax.self)
        {
            return [refusal(callee, "the value of '\(callee.baseName.text)(…)'")]
        }
        if let reference = syntax.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.text
            let isType = name.first?.isUppercase == true
            return known.contains(name) || name.hasPrefix("$") || isType ? [] : [refusal(reference, "'\(name)'")]
        }
        return syntax.children(viewMode: .sourceAccurate).flatMap { captures(in: $0, known: known) }
    }

    private func refusal(_ syntax: some SyntaxProtocol, _ what: String) -> ModelDiagnostic {
        ModelDiagnostic(
            syntax,
            "the \(constraint.conditionWord) of '#\(constraint.kind.rawValue)' is part of the table, so it has properties and literals, and not \(what)"
        )
    }
}
