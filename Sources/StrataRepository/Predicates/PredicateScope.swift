import Foundation
import StrataModels

/// What the variables of a predicate stand for at one place of it.
struct PredicateScope {
    private var operands: [PredicateExpressions.VariableID: PredicateOperand] = [:]
    /// The variables that stand for captured values, for nodes that are computed in Swift.
    private(set) var constants = PredicateBindings()

    subscript(variable: PredicateExpressions.VariableID) -> PredicateOperand? { operands[variable] }

    /// Lets a variable stand for an operand and returns what it stood for.
    mutating func replace<Value>(
        _ variable: PredicateExpressions.Variable<Value>, by operand: PredicateOperand
    ) -> PredicateOperand? {
        // A captured value came out of its optionals; the variable may ask for one.
        constants[variable] =
            switch operand {
            case .constant(let value): value as? Value
            case .null: (Value.self as? any OptionalValue.Type)?.nothing as? Value
            default: nil
            }
        return operands.updateValue(operand, forKey: variable.key)
    }

    /// Takes a replacement back.
    mutating func restore<Value>(_ variable: PredicateExpressions.Variable<Value>, _ previous: PredicateOperand?) {
        if let previous {
            _ = replace(variable, by: previous)
        } else {
            constants[variable] = nil
            operands[variable.key] = nil
        }
    }
}
