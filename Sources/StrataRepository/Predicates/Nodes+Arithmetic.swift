import Foundation
import StrataClient
import StrataModels

// With whole numbers overflow and division by zero are errors of the server (22003, 22012), and of WholeArithmetic in memory.
// With floating-point numbers they are none in Swift: see FloatArithmetic.

extension Translation {
    fileprivate func arithmetic<L: PredicateExpression, R: PredicateExpression>(
        _ lhs: L, _ op: String, _ rhs: R, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        let (left, right) = (try operand(lhs), try operand(rhs))
        if left.isConstant, right.isConstant { return try node.computed(in: self) }
        return .value(
            try arithmetic(value(left), op, value(right), isWhole: L.Output.self is any BinaryInteger.Type))
    }

    private func arithmetic(_ l: SQLExpression, _ op: String, _ r: SQLExpression, isWhole: Bool) throws -> SQLExpression
    {
        guard l.form == .plain, r.form == .plain else { throw unsupported("arithmetic with \(l.path)") }
        var sql: SQLFragment = "\(l.operand) \(raw: op) \(r.operand)"
        // numeric holds whole numbers beyond bigint; its own / has a fraction.
        if op == "/", isWhole, l.type == .numeric { sql = "div(\(l.sql), \(r.sql))" }
        if let safe = FloatArithmetic.sql(l, op, r, aliases) { sql = safe }
        let nullness: SQLExpression.Nullness = l.isNullable || r.isNullable ? .none : .never
        var result = SQLExpression(
            sql: sql, type: l.type, nullness: nullness, shape: .comparison, requires: l.requires.union(r.requires),
            path: l.path.isEmpty ? r.path : l.path)
        if l.type == .numeric { result.mayBeNaN = l.mayBeNaN || r.mayBeNaN }
        return result
    }

    /// A number and a captured one, added or subtracted.
    func sum(_ own: SQLExpression, _ number: Any, isNegative: Bool) throws -> SQLExpression {
        let other = try CapturedValue(number, path: own.path).expression(like: own)
        return try arithmetic(own, isNegative ? "-" : "+", other, isWhole: number is any BinaryInteger)
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

extension PredicateExpressions.WholeArithmetic: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let symbol =
            switch op {
            case .add: "+"
            case .subtract: "-"
            case .multiply: "*"
            case .divide: "/"
            case .remainder: "%"
            }
        return try translation.arithmetic(lhs, symbol, rhs, self)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.negation(of: wrapped, self)
    }
}

extension PredicateExpressions.WholeNegation: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.negation(of: wrapped, self)
    }
}

extension Translation {
    fileprivate func negation(
        of wrapped: some PredicateExpression, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        let operand = try operand(wrapped)
        if operand.isConstant { return try node.computed(in: self) }
        var value = try value(operand)
        value.sql = "- \(value.operand)"
        value.shape = .comparison
        return .value(value)
    }
}
