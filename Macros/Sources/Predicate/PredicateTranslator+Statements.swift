import SwiftSyntax

extension PredicateTranslator {
    /// Writes a closure over nodes for a closure over values; a named parameter keeps its name.
    func translateBody(of source: ClosureExprSyntax, role: String) -> String? {
        let name = source.parameterName
        let parameter = name == "$0" ? freshName(role) : name
        let hidden = scope.hiding(source.parameterNames)
        let captures = source.signature?.capture.map { "\($0.trimmedDescription) " } ?? ""
        return closure(parameter, captures: captures) {
            inScope(name == "_" ? hidden : hidden.binding(name, to: parameter)) {
                guard !source.statements.isEmpty else { return refuse(.emptyBody, at: source) }
                return translate(statements: Array(source.statements)[...], allowsLet: true)
            }
        }
    }

    /// Translates statements to the value they return.
    private func translate(statements: ArraySlice<CodeBlockItemSyntax>, allowsLet: Bool) -> PredicateNode? {
        guard let first = statements.first else { return nil }
        let rest = statements.dropFirst()
        switch first.item {
        case .decl(let declaration):
            return translateLet(declaration, allowsLet: allowsLet, followedBy: rest)
        case .stmt(let statement):
            if let result = statement.as(ReturnStmtSyntax.self) {
                guard let expression = result.expression else { return refuse(.emptyBody, at: result) }
                return translate(expression, asResultBefore: rest)
            }
            if let check = statement.as(GuardStmtSyntax.self) { return translateGuard(check, followedBy: rest) }
            if let expression = statement.as(ExpressionStmtSyntax.self) {
                return translate(expression.expression, asResultBefore: rest)
            }
            if statement.is(ForStmtSyntax.self) || statement.is(WhileStmtSyntax.self)
                || statement.is(RepeatStmtSyntax.self)
            {
                return refuse(.noLoop, at: statement)
            }
            return refuse(.statement, at: statement)
        case .expr(let expression):
            return translate(expression, asResultBefore: rest)
        }
    }

    private func translate(
        _ expression: ExprSyntax,
        asResultBefore rest: ArraySlice<CodeBlockItemSyntax>
    ) -> PredicateNode? {
        if let conditional = expression.as(IfExprSyntax.self) { return translateIf(conditional, followedBy: rest) }
        if let choice = expression.as(SwitchExprSyntax.self) { return refuse(.noSwitch, at: choice.switchKeyword) }
        if let next = rest.first { return refuse(.unreachableStatement, at: next) }
        return translate(expression).map(bind)
    }

    // MARK: let

    private func translateLet(
        _ declaration: DeclSyntax,
        allowsLet: Bool,
        followedBy rest: ArraySlice<CodeBlockItemSyntax>
    ) -> PredicateNode? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return refuse(.statement, at: declaration) }
        guard variable.bindingSpecifier.text == "let" else {
            let fixIt = PredicateFixIt.replace(variable.bindingSpecifier, with: "let")
            return refuse(.noVar, at: variable.bindingSpecifier, fixIts: [fixIt])
        }
        guard allowsLet else { return refuse(.nestedLet, at: variable.bindingSpecifier) }
        var inner = scope
        for binding in variable.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
                let value = binding.initializer?.value
            else { return refuse(.statement, at: binding) }
            let bound = inScope(inner) { () -> PredicateScope? in
                if canCapture(value) {
                    write("let \(binding.trimmed.with(\.trailingComma, nil).description)")
                    return inner.hiding([name])
                }
                return translate(value).map { inner.binding(name, to: declare($0)) }
            }
            guard let bound else { return nil }
            inner = bound
        }
        guard !rest.isEmpty else { return refuse(.emptyBody, at: variable) }
        return inScope(inner) { translate(statements: rest, allowsLet: true) }
    }

    // MARK: if and guard

    private func translateGuard(
        _ check: GuardStmtSyntax,
        followedBy rest: ArraySlice<CodeBlockItemSyntax>
    ) -> PredicateNode? {
        guard !rest.isEmpty else { return refuse(.emptyBody, at: check) }
        let otherwise = conditionally { translate(block: check.body) }
        let result = translate(conditions: Array(check.conditions)[...], otherwise: otherwise) {
            translate(statements: rest, allowsLet: false)
        }
        return otherwise == nil ? nil : result
    }

    func translateIf(_ conditional: IfExprSyntax, followedBy rest: ArraySlice<CodeBlockItemSyntax>?) -> PredicateNode? {
        let otherwise: PredicateNode?
        switch conditional.elseBody {
        case .ifExpr(let nested): otherwise = conditionally { translateIf(nested, followedBy: rest) }
        case .codeBlock(let block):
            if let next = rest?.first { return refuse(.unreachableStatement, at: next) }
            otherwise = conditionally { translate(block: block) }
        case nil:
            guard let rest, !rest.isEmpty else { return refuse(.missingElse, at: conditional.ifKeyword) }
            otherwise = conditionally { translate(statements: rest, allowsLet: false) }
        }
        let result = translate(conditions: Array(conditional.conditions)[...], otherwise: otherwise) {
            translate(block: conditional.body)
        }
        return otherwise == nil ? nil : result
    }

    private func translate(block: CodeBlockSyntax) -> PredicateNode? {
        guard !block.statements.isEmpty else { return refuse(.emptyBody, at: block) }
        return translate(statements: Array(block.statements)[...], allowsLet: false)
    }

    /// Conditions one by one: each either goes on to the next or gives the other branch's value.
    private func translate(
        conditions: ArraySlice<ConditionElementSyntax>,
        otherwise: PredicateNode?,
        then: () -> PredicateNode?
    ) -> PredicateNode? {
        guard let first = conditions.first else { return conditionally(then).map(bind) }
        let rest = conditions.dropFirst()
        switch first.condition {
        case .expression(let expression):
            let test = translate(expression).map(bind)
            let result = conditionally { translate(conditions: rest, otherwise: otherwise, then: then) }
            guard let test, let result, let otherwise else { return nil }
            return conditional(test, result, otherwise)
        case .optionalBinding(let binding):
            return translate(binding, then: rest, otherwise: otherwise, body: then)
        case .matchingPattern(let pattern): return refuse(.noPatternMatching, at: pattern.caseKeyword)
        case .availability(let check): return refuse(.expression("an availability check"), at: check)
        }
    }

    /// `if let x = y { a } else { b }` is `y.flatMap { x in a } ?? b`.
    private func translate(
        _ binding: OptionalBindingConditionSyntax,
        then rest: ArraySlice<ConditionElementSyntax>,
        otherwise: PredicateNode?,
        body: () -> PredicateNode?
    ) -> PredicateNode? {
        guard binding.bindingSpecifier.text == "let" else {
            let fixIt = PredicateFixIt.replace(binding.bindingSpecifier, with: "let")
            return refuse(.noVar, at: binding.bindingSpecifier, fixIts: [fixIt])
        }
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            return refuse(.noPatternMatching, at: binding.pattern)
        }
        let value = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: name.trimmed))
        guard let optional = translate(value) else { return nil }
        let unwrapped = optional.kind == .anchored ? bind(optional).source : declare(optional)
        let parameter = freshName("value")
        let some = closure(parameter) {
            inScope(scope.binding(name.text, to: parameter)) {
                conditionally { translate(conditions: rest, otherwise: otherwise, then: body) }
            }
        }
        guard let some, let otherwise else { return nil }
        let mapped = PredicateNode.call("build_flatMap", "\(unwrapped), \(some)")
        return .call("build_NilCoalesce", "lhs: \(bind(mapped).source), rhs: \(otherwise.source)")
    }
}

extension ClosureExprSyntax {
    /// The name of the closure's one parameter.
    fileprivate var parameterName: String {
        switch signature?.parameterClause {
        case .simpleInput(let list): list.first?.name.text ?? "$0"
        case .parameterClause(let clause): clause.parameters.first.map { ($0.secondName ?? $0.firstName).text } ?? "$0"
        default: "$0"
        }
    }
}
