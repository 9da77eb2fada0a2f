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
        let result = try arithmetic(value(left), op, value(right), isWhole: L.Output.self is any BinaryInteger.Type)
        if isOfColumn { try requireExact(result, L.Output.self) }
        return .value(result)
    }

    /// Whole numbers that the column holds in a larger type would be taken where memory has an overflow in between, and a `Decimal` has 38 digits
    /// where `numeric` has as many as it takes.
    private func requireExact(_ result: SQLExpression, _ type: Any.Type) throws {
        let path = result.path.isEmpty ? "" : " with \(result.path)"
        if type is any BinaryInteger.Type, !(type is any WideInteger.Type) {
            throw SwiftDataError(
                .unsupportedPredicate,
                "has arithmetic\(path) in \(type), which the database does in a larger type: declare the properties as Int, Int64, Int32 or Int16"
            )
        }
        guard type == Decimal.self, result.digits.map({ $0.precision > Self.digitsOfDecimal }) ?? true else { return }
        throw SwiftDataError(
            .unsupportedPredicate,
            "has arithmetic\(path) in Decimal that may have more than \(Self.digitsOfDecimal) digits, where memory rounds and the database does not: add, "
                + "subtract and multiply properties with .precision, whose digits say how many there may be")
    }

    /// As many as any `Decimal` holds.
    private static var digitsOfDecimal: Int { 38 }

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
        if l.type == .numeric {
            result.mayBeNaN = l.mayBeNaN || r.mayBeNaN
            result.digits = NumericPrecision(of: l.digits, op, r.digits)
        }
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
    fileprivate func negation<Negated: PredicateExpression>(
        of wrapped: Negated, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        let operand = try operand(wrapped)
        if operand.isConstant { return try node.computed(in: self) }
        var value = try value(operand)
        value.sql = "- \(value.operand)"
        value.shape = .comparison
        if isOfColumn, Negated.Output.self is any BinaryInteger.Type { try requireExact(value, Negated.Output.self) }
        return .value(value)
    }
}

/// A whole number that has a column of its own size.
private protocol WideInteger: BinaryInteger {}

extension Int: WideInteger {}
extension Int64: WideInteger {}
extension Int32: WideInteger {}
extension Int16: WideInteger {}

extension NumericPrecision {
    /// What a number has; `nil` for one that is none.
    init?(of value: Decimal) {
        guard value.isFinite else { return nil }
        let digits = value.magnitude.significand.description.count
        let scale = max(0, -value.exponent)
        self.init(max(digits + max(0, value.exponent), scale), scale: scale)
    }

    /// What the result of `+`, `-` and `*` has at most; `nil` for any other operation, and where an operand's is not known.
    fileprivate init?(of left: NumericPrecision?, _ op: String, _ right: NumericPrecision?) {
        guard let left, let right else { return nil }
        switch op {
        case "+", "-":
            let sides = Self.ofEither(left, right) ?? left
            self.init(sides.precision + 1, scale: sides.scale)
        case "*": self.init(left.precision + right.precision, scale: left.scale + right.scale)
        default: return nil
        }
    }

    /// What holds the numbers of both.
    static func ofEither(_ first: NumericPrecision?, _ second: NumericPrecision?) -> NumericPrecision? {
        guard let first, let second else { return nil }
        let scale = max(first.scale, second.scale)
        return NumericPrecision(
            max(first.precision - first.scale, second.precision - second.scale) + scale, scale: scale)
    }
}
