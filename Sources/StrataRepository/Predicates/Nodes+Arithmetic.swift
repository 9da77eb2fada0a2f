import Foundation
import StrataClient
import StrataModels

// With whole numbers overflow and division by zero are errors of the server (22003, 22012), where Swift would stop the program.
// With floating-point numbers they are none in Swift: see FloatArithmetic.

extension Translation {
    fileprivate func arithmetic<L: PredicateExpression, R: PredicateExpression>(
        _ lhs: L, _ op: String, _ rhs: R, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        let (left, right) = (try operand(lhs), try operand(rhs))
        if left.isConstant, right.isConstant { return try node.computed(in: self) }
        let (l, r) = (try value(left), try value(right))
        guard l.form == .plain, r.form == .plain else { throw unsupported("arithmetic with \(l.path)") }
        var sql: SQLFragment = "\(l.operand) \(raw: op) \(r.operand)"
        // numeric holds whole numbers beyond bigint; its own / has a fraction.
        if op == "/", L.Output.self is any BinaryInteger.Type, l.type == .numeric { sql = "div(\(l.sql), \(r.sql))" }
        if let safe = FloatArithmetic.sql(l, op, r, aliases) { sql = safe }
        let nullness: SQLExpression.Nullness = l.isNullable || r.isNullable ? .none : .never
        var result = SQLExpression(
            sql: sql, type: l.type, nullness: nullness, shape: .comparison, requires: l.requires.union(r.requires),
            path: l.path.isEmpty ? r.path : l.path)
        if l.type == .numeric { result.mayBeNaN = l.mayBeNaN || r.mayBeNaN }
        return .value(result)
    }
}

extension PredicateExpressions.Arithmetic: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let symbol =
            switch op {
            case .add: "+"
            case .subtract: "-"
            case .multiply: "*"
            @unknown default: throw translation.unsupported("this arithmetic operator")
            }
        return try translation.arithmetic(lhs, symbol, rhs, self)
    }
}

extension PredicateExpressions.IntDivision: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.arithmetic(lhs, "/", rhs, self)
    }
}

extension PredicateExpressions.IntRemainder: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.arithmetic(lhs, "%", rhs, self)
    }
}

extension PredicateExpressions.FloatDivision: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.arithmetic(lhs, "/", rhs, self)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let operand = try translation.operand(wrapped)
        if operand.isConstant { return try computed(in: translation) }
        var value = try translation.value(operand)
        value.sql = "- \(value.operand)"
        value.shape = .comparison
        return .value(value)
    }
}
