import Foundation
import StrataModels

extension PredicateExpressions.PredicateEvaluate: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let argument = try translation.operand(input)
        if argument.isConstant { return try computed(in: translation) }
        let tree = PredicateTree(predicate)
        var place = PredicateScope()
        _ = place.replace(tree.variable, by: argument)
        return try translation.nested(place) { .value(try translation.condition(tree.expression)) }
    }
}

extension PredicateExpressions.CapturedExpressionEvaluate: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let argument = try translation.operand(input)
        if argument.isConstant { return try computed(in: translation) }
        var place = PredicateScope()
        _ = place.replace(expression.variable, by: argument)
        return try translation.with(place) { try translation.operand(expression.expression) }
    }
}

extension PredicateExpressions.ExpressionEvaluate: TranslatableNode {
    /// What `#Predicate` writes: the predicate's body as an expression over its input.
    func translate(_ translation: Translation) throws -> PredicateOperand {
        guard case .constant(let value) = try translation.operand(expression),
            let body = value as? any CapturedExpression
        else { throw translation.unsupported("an expression that is not captured") }
        var operands: [PredicateOperand] = []
        for argument in repeat each input { operands.append(try translation.operand(argument)) }
        return try translation.with(body.place(of: operands)) { try body.translateBody(translation) }
    }
}

/// What `#Predicate` or `#Expression` made, without its type: it knows the text of the closure.
protocol PredicateSource: CustomStringConvertible {}
extension ExpressionBody: PredicateSource {}

/// `Expression`, without its types.
protocol CapturedExpression {
    /// The inputs stand for these operands.
    func place(of operands: [PredicateOperand]) -> PredicateScope
    func translateBody(_ translation: Translation) throws -> PredicateOperand
}

extension Expression: CapturedExpression {
    func place(of operands: [PredicateOperand]) -> PredicateScope {
        var place = PredicateScope()
        var operands = operands[...]
        for variable in repeat each variable {
            if let operand = operands.popFirst() { _ = place.replace(variable, by: operand) }
        }
        return place
    }

    func translateBody(_ translation: Translation) throws -> PredicateOperand { try translation.operand(expression) }
}
