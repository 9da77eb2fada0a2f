import Foundation
import StrataModels

extension PredicateExpressions.Conjunction: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let left = try translation.condition(lhs)
        // Swift does not get to the other side: it need not be translatable, and joins nothing.
        if left.isFalse { return .value(.false) }
        return .value(left.and(try translation.condition(rhs)))
    }
}

extension PredicateExpressions.Disjunction: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let left = try translation.condition(lhs)
        if left.isTrue { return .value(.true) }
        return .value(left.or(try translation.condition(rhs)))
    }
}

extension PredicateExpressions.Negation: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        .value(try translation.condition(wrapped).not())
    }
}

extension PredicateExpressions.Equal: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        return .value(try translation.equal(left, right))
    }
}

extension PredicateExpressions.NotEqual: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        return .value(try translation.notEqual(left, right))
    }
}

extension PredicateExpressions.Comparison: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        return .value(try translation.compare(left, OrderOperator(op), right))
    }
}

extension PredicateExpressions.ExactDecimalComparison: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(comparison.lhs), try translation.operand(comparison.rhs))
        if left.isConstant, right.isConstant { return try computed(in: translation) }
        return .value(try translation.compare(left, OrderOperator(comparison.op), right))
    }
}

extension PredicateExpressions.Conditional: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let test = try translation.condition(test)
        // Only the branch that counts has to be translatable.
        if test.isTrue { return try translation.operand(trueBranch) }
        if test.isFalse { return try translation.operand(falseBranch) }
        return try translation.choose(test, translation.operand(trueBranch), translation.operand(falseBranch))
    }
}

extension Translation {
    /// `test ? a : b`.
    func choose(_ test: SQLExpression, _ a: PredicateOperand, _ b: PredicateOperand) throws -> PredicateOperand {
        switch (a, b) {
        case (.null, .null): return .null
        case (.null, _): return try choose(test.not(), b, a)
        case (.object(let left), .object(let right)):
            let key: SQLFragment = "CASE WHEN \(test.sql) THEN \(left.scope.key()) ELSE \(right.scope.key()) END"
            return try object(key, left, right)
        case (_, .null):
            let value = try value(a)
            var result = SQLExpression(
                sql: "CASE WHEN \(test.sql) THEN \(value.sql) END", type: value.type, nullness: .none,
                form: value.form, path: value.path, swiftType: value.swiftType)
            result.digits = value.digits
            return .value(result)
        case (.constant, .constant), (_, .constant):
            let first = try value(a)
            return .value(Self.choose(test, first, try value(b, like: first)))
        case (.constant, _):
            let second = try value(b)
            return .value(Self.choose(test, try value(a, like: second), second))
        default: return .value(Self.choose(test, try value(a), try value(b)))
        }
    }

    private static func choose(_ test: SQLExpression, _ a: SQLExpression, _ b: SQLExpression) -> SQLExpression {
        var result = SQLExpression(
            sql: "CASE WHEN \(test.sql) THEN \(a.sql) ELSE \(b.sql) END", type: a.type,
            nullness: a.isNullable || b.isNullable ? .none : .never, form: a.form,
            path: a.path, swiftType: a.swiftType)
        result.digits = NumericPrecision.ofEither(a.digits, b.digits)
        return result
    }

    /// An object found by a key that was computed from two others.
    func object(_ key: SQLFragment, _ left: ObjectReference, _ right: ObjectReference) throws -> PredicateOperand {
        guard left.entity === right.entity, left.scope.source === right.scope.source else {
            throw unsupported("a choice between \(left.path) and \(right.path)")
        }
        let isOptional = left.isOptional || right.isOptional
        let scope = TableScope(
            left.scope.entity, .stored, key: "(\(key))", in: left.scope.source,
            requires: isOptional ? [aliases.token()] : [],
            aliases: aliases)
        return .object(ObjectReference(scope, path: left.path, isOptional: isOptional))
    }
}
