import SwiftSyntax

extension PredicateTranslator {
    func translateInfix(_ infix: InfixOperatorExprSyntax) -> PredicateNode? {
        guard let token = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator else {
            return refuse(.binaryOperator(infix.operator.trimmedDescription), at: infix.operator)
        }
        let name = token.text
        switch name {
        case "===", "!==":
            let equality = name == "===" ? "==" : "!="
            return refuse(.identityOperator, at: token, fixIts: [PredicateFixIt.replace(token, with: equality)])
        case let name where !Self.knownOperators.contains(name):
            return refuse(.binaryOperator(name), at: token)
        default: break
        }
        let skipsRight = ["&&", "||", "??"].contains(name)
        let left = translate(infix.leftOperand).map(bind)
        let right = (skipsRight ? conditionally { translate(infix.rightOperand) } : translate(infix.rightOperand)).map(
            bind)
        guard let left, let right else { return nil }
        switch name {
        case "&&", "||", "...", "..<": return combine(name, left, right)
        case "??": return combine(name, left, fit(right, "unwrapping", left))
        default: return combine(name, fit(left, "for", right), fit(right, "for", left))
        }
    }

    private func combine(_ name: String, _ left: PredicateNode, _ right: PredicateNode) -> PredicateNode {
        let operands = "lhs: \(left.source), rhs: \(right.source)"
        let kind: PredicateNode.Kind = left.kind == .anchored || right.kind == .anchored ? .anchored : .floating
        // A node of type T does not become one of T? by itself; these functions see to it.
        let betweenNodes = left.kind == .anchored && right.kind == .anchored
        switch name {
        case "==": return .call(betweenNodes ? "build_EqualNodes" : "build_Equal", operands)
        case "!=": return .call(betweenNodes ? "build_NotEqualNodes" : "build_NotEqual", operands)
        case "<": return .call("build_Comparison", operands + ", op: .lessThan")
        case "<=": return .call("build_Comparison", operands + ", op: .lessThanOrEqual")
        case ">": return .call("build_Comparison", operands + ", op: .greaterThan")
        case ">=": return .call("build_Comparison", operands + ", op: .greaterThanOrEqual")
        case "&&": return .call("build_Conjunction", operands)
        case "||": return .call("build_Disjunction", operands)
        case "+": return .call("build_Arithmetic", operands + ", op: .add", kind: kind)
        case "-": return .call("build_Arithmetic", operands + ", op: .subtract", kind: kind)
        case "*": return .call("build_Arithmetic", operands + ", op: .multiply", kind: kind)
        case "/": return .call("build_Division", operands, kind: kind)
        case "%": return .call("build_Remainder", operands, kind: kind)
        case "??": return .call("build_NilCoalesce", operands, kind: kind)
        case "...": return .call("build_ClosedRange", "lower: \(left.source), upper: \(right.source)", kind: kind)
        default: return .call("build_Range", "lower: \(left.source), upper: \(right.source)", kind: kind)
        }
    }

    /// The bounds of a captured range. Those of literals are known to the author, and stay as they are.
    func bounds(of expression: ExprSyntax) -> PredicateNode.Bounds? {
        guard let infix = expression.as(InfixOperatorExprSyntax.self),
            let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, ["...", "..<"].contains(name),
            ![infix.leftOperand, infix.rightOperand].allSatisfy(\.isNumber)
        else { return nil }
        return PredicateNode.Bounds(
            lower: infix.leftOperand.trimmedDescription, upper: infix.rightOperand.trimmedDescription,
            function: name == "..." ? "build_ClosedRange" : "build_Range")
    }

    func translatePrefix(_ prefix: PrefixOperatorExprSyntax) -> PredicateNode? {
        let name = prefix.operator.text
        guard ["!", "-", "+"].contains(name) else { return refuse(.prefixOperator(name), at: prefix.operator) }
        guard let operand = translate(prefix.expression).map(bind) else { return nil }
        switch name {
        case "!": return .call("build_Negation", operand.source)
        case "-":
            return .call("build_UnaryMinus", operand.source, kind: operand.kind == .anchored ? .anchored : .floating)
        default: return operand
        }
    }

    func translateTernary(_ ternary: TernaryExprSyntax) -> PredicateNode? {
        let test = translate(ternary.condition).map(bind)
        let first = conditionally { translate(ternary.thenExpression) }.map(bind)
        let second = conditionally { translate(ternary.elseExpression) }.map(bind)
        guard let test, let first, let second else { return nil }
        return conditional(test, first, second)
    }

    func conditional(_ test: PredicateNode, _ first: PredicateNode, _ second: PredicateNode) -> PredicateNode {
        let isAnchored = first.kind == .anchored || second.kind == .anchored
        return .call(
            "build_Conditional",
            "\(test.source), \(fit(first, "for", second).source), \(fit(second, "for", first).source)",
            kind: isAnchored ? .anchored : .floating
        )
    }

    func translateIs(_ check: IsExprSyntax) -> PredicateNode? {
        translate(check.expression).map(bind).map {
            .anchored("PredicateExpressions.TypeCheck<_, \(check.type.trimmedDescription)>(\($0.source))")
        }
    }

    func translateAs(_ cast: AsExprSyntax) -> PredicateNode? {
        guard let operand = translate(cast.expression).map(bind) else { return nil }
        let type = cast.type.trimmedDescription
        switch cast.questionOrExclamationMark?.text {
        case "?": return .anchored("PredicateExpressions.ConditionalCast<_, \(type)>(\(operand.source))")
        default:
            // `as` to a superclass always succeeds.
            return .anchored("PredicateExpressions.ForceCast<_, \(type)>(\(operand.source))")
        }
    }
}

extension ExprSyntax {
    /// Whether it is a literal number, with a sign or without.
    fileprivate var isNumber: Bool {
        if let prefix = self.as(PrefixOperatorExprSyntax.self) { return prefix.expression.isNumber }
        return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
    }
}
