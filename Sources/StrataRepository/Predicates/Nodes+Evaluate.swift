import Foundation
import StrataModels

extension PredicateExpressions.PredicateEvaluate: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let argument = try translation.operand(input)
        if argument.isConstant { return try computed() }
        return try translation.with(predicate.variable.key, as: argument) {
            .value(try translation.condition(predicate.expression))
        }
    }
}

extension PredicateExpressions.ExpressionEvaluate: TranslatableNode {
    /// What `#Predicate` writes: the predicate's body as an expression over its input.
    func translate(_ translation: Translation) throws -> PredicateOperand {
        guard case .constant(let value) = try translation.operand(expression),
            let body = value as? any CapturedExpression
        else { throw translation.unsupported("an expression that is not captured") }
        var variables = translation.variables
        var keys = body.inputKeys[...]
        for argument in repeat each input {
            if let key = keys.popFirst() { variables[key] = try translation.operand(argument) }
        }
        return try translation.with(variables) { try body.translateBody(translation) }
    }
}

/// What `#Predicate` made, without its type: it knows the text of the closure.
protocol PredicateSource: CustomStringConvertible {}
extension PredicateBody: PredicateSource {}

/// `Expression`, without its types.
protocol CapturedExpression {
    var inputKeys: [PredicateExpressions.VariableID] { get }
    func translateBody(_ translation: Translation) throws -> PredicateOperand
}

extension Expression: CapturedExpression {
    var inputKeys: [PredicateExpressions.VariableID] {
        var keys: [PredicateExpressions.VariableID] = []
        for variable in repeat each variable { keys.append(variable.key) }
        return keys
    }

    func translateBody(_ translation: Translation) throws -> PredicateOperand { try translation.operand(expression) }
}
