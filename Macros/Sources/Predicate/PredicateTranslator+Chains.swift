import SwiftSyntax

/// One step of a chain such as `$0.trip?.bucketList.contains { … }`.
enum PredicateChainStep {
    case property(TokenSyntax)
    case method(PredicateMethodCall)
    case element(SubscriptCallExprSyntax)
    case forceUnwrap
    /// `?`: the rest of the chain is evaluated on the unwrapped value.
    case unwrapOrStop
}

/// A call of a method of the chain's value.
struct PredicateMethodCall {
    let name: TokenSyntax
    let call: FunctionCallExprSyntax

    /// The name with its labels, as in `contains(where:)`; a trailing closure is not counted.
    var fullName: String {
        let labels = call.arguments.map { "\($0.label?.text ?? "_"):" }.joined()
        return labels.contains(where: { $0 != "_" && $0 != ":" }) ? "\(name.text)(\(labels))" : name.text
    }
}

extension PredicateTranslator {
    /// Translates member accesses, calls, subscripts and unwrapping, from the innermost outwards.
    func translateChain(_ expression: ExprSyntax) -> PredicateNode? {
        var steps: [PredicateChainStep] = []
        guard let base = root(of: expression, addingStepsTo: &steps) else { return nil }
        guard let node = base else { return nil }
        return follow(steps.reversed()[...], from: node)
    }

    /// Takes a chain apart. The outer optional is `nil` when something was refused.
    private func root(of expression: ExprSyntax, addingStepsTo steps: inout [PredicateChainStep]) -> PredicateNode?? {
        var current = expression
        while true {
            if let inner = current.withoutParentheses { return .some(translate(inner)) }
            if let chaining = current.as(OptionalChainingExprSyntax.self) {
                steps.append(.unwrapOrStop)
                current = chaining.expression
                continue
            }
            if canCapture(current) {
                // `limit?.values.contains($0.x)`: the captured part ends in an optional of its own.
                if current.endsInOpenOptionalChain { steps.append(.unwrapOrStop) }
                return .some(captured(current))
            }
            if let unwrap = current.as(ForceUnwrapExprSyntax.self) {
                steps.append(.forceUnwrap)
                current = unwrap.expression
            } else if let access = current.as(SubscriptCallExprSyntax.self) {
                steps.append(.element(access))
                current = access.calledExpression
            } else if let member = current.as(MemberAccessExprSyntax.self) {
                guard let base = member.base else {
                    return refuse(.expression("a member without its base"), at: member.declName)
                }
                if member.declName.baseName.text != "self" { steps.append(.property(member.declName.baseName)) }
                current = base
            } else if let call = current.as(FunctionCallExprSyntax.self) {
                guard let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else {
                    return refuse(
                        hazard(in: call) ?? .function(call.calledExpression.trimmedDescription),
                        at: call.calledExpression
                    )
                }
                steps.append(.method(PredicateMethodCall(name: member.declName.baseName, call: call)))
                current = base
            } else {
                return .some(translate(current))
            }
        }
    }

    private func follow(_ steps: ArraySlice<PredicateChainStep>, from start: PredicateNode) -> PredicateNode? {
        var node = start
        var steps = steps
        while let step = steps.popFirst() {
            let next: PredicateNode?
            switch step {
            case .property(let name): next = property(name, of: bind(node))
            case .method(let method): next = translateMethod(method, of: bind(node))
            case .element(let access): next = element(access, of: bind(node))
            case .forceUnwrap: next = .call("build_ForcedUnwrap", bind(node).source)
            case .unwrapOrStop: return unwrap(node, then: steps)
            }
            guard let next else { return nil }
            node = next
        }
        return node
    }

    private func property(_ name: TokenSyntax, of base: PredicateNode) -> PredicateNode? {
        if case .integerLiteral = name.tokenKind { return refuse(.tupleElement, at: name) }
        return .call("build_KeyPath", "root: \(base.source), keyPath: \\.\(name.trimmed.text)")
    }

    private func element(_ access: SubscriptCallExprSyntax, of base: PredicateNode) -> PredicateNode? {
        guard access.trailingClosure == nil, let first = access.arguments.first, first.label == nil else {
            return refuse(.expression("this subscript"), at: access.leftSquare)
        }
        let rest = access.arguments.dropFirst()
        guard rest.isEmpty || (rest.count == 1 && rest.first?.label?.text == "default"),
            let index = translate(first.expression)
        else {
            return rest.isEmpty ? nil : refuse(.expression("this subscript"), at: access.leftSquare)
        }
        var arguments = "\(base.source), \(bind(index).source)"
        if let fallback = rest.first {
            guard let value = conditionally({ translate(fallback.expression) }) else { return nil }
            arguments += ", default: \(bind(value).source)"
        }
        return .call("build_subscript", arguments)
    }

    /// `base?.rest` is `flatMap` with the rest of the chain on the unwrapped value.
    private func unwrap(_ node: PredicateNode, then steps: ArraySlice<PredicateChainStep>) -> PredicateNode? {
        let optional = node.kind == .anchored ? bind(node).source : declare(node)
        let parameter = freshName("wrapped")
        let rest = closure(parameter) {
            conditionally { follow(steps, from: .anchored(parameter)) }
        }
        return rest.map { .call("build_flatMap", "\(optional), \($0)") }
    }

    /// The diagnostic for a captured call that must not be evaluated early, if that is why it could not be captured.
    func hazard(in syntax: some SyntaxProtocol) -> PredicateDiagnostic? {
        guard !scope.isMentioned(in: syntax), let hazard = PredicateHazard.first(in: syntax) else { return nil }
        return .hazard(hazard.description)
    }
}

extension ExprSyntax {
    /// Whether a `?` in the chain makes the whole chain optional.
    fileprivate var endsInOpenOptionalChain: Bool {
        if self.is(OptionalChainingExprSyntax.self) { return true }
        if let member = self.as(MemberAccessExprSyntax.self) { return member.base?.endsInOpenOptionalChain ?? false }
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.endsInOpenOptionalChain }
        if let access = self.as(SubscriptCallExprSyntax.self) { return access.calledExpression.endsInOpenOptionalChain }
        if let unwrap = self.as(ForceUnwrapExprSyntax.self) { return unwrap.expression.endsInOpenOptionalChain }
        return false
    }
}
