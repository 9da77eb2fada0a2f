import Foundation
import StrataClient
import StrataModels

/// `<`, `<=`, `>` and `>=`, of which Foundation's nodes and ours have an enumeration each.
enum OrderOperator: String {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    init(_ op: PredicateExpressions.ComparisonOperator) {
        self =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: .greaterOrEqual
            }
    }

    /// The operator with its sides exchanged.
    var mirrored: OrderOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

extension Translation {
    /// An order comparison as in Swift: strings by bytes, NaN neither less nor greater.
    ///
    /// - Parameter isGuarded: whether another comparison keeps NaN out.
    func compare(
        _ lhs: PredicateOperand, _ op: OrderOperator, _ rhs: PredicateOperand, isGuarded: Bool = false
    ) throws -> SQLExpression {
        switch (lhs, rhs) {
        case (.constant, .constant): throw unsupported("a comparison of two captured values")
        case (.constant, _): return try compare(rhs, op.mirrored, lhs)
        case (.count(let sequence), .constant(let limit)):
            if let limit = limit as? Int, let simple = try compareCount(of: sequence, op, limit) { return simple }
        case (.characterCount(let string), .constant(let limit)):
            if let limit = limit as? Int, let isEmpty = Self.asksForEmptiness(op, limit) {
                return isEmpty ? self.isEmpty(string) : self.isEmpty(string).not()
            }
        case (.history(.token), _): return try compareToken(op, rhs)
        case (_, .history(.token)): return try compareToken(op.mirrored, lhs)
        case (.object(let object), _), (_, .object(let object)):
            throw unsupported("\(op.rawValue) between identifiers (\(object.path))", "compare them with == or contains")
        default: break
        }
        let left = try value(lhs)
        guard case .constant(let constant) = rhs else { return try compare(left, op, value(rhs)) }
        let captured = CapturedValue(constant, path: left.path)
        if captured.isNaN { return .false }
        var right = try captured.expression(like: left)
        right.mayBeNaN = false
        var guarded = left
        if isGuarded { guarded.mayBeNaN = false }
        var result = try compare(guarded, op, right)
        if let value = captured.plainScalar(like: left) {
            result.bounds = SQLBound.all(left.ordered, op, right.sql, value)
        }
        return result
    }

    func compare(_ left: SQLExpression, _ op: OrderOperator, _ right: SQLExpression) throws -> SQLExpression {
        for side in [left, right] {
            switch side.form {
            case .interval: throw CapturedValue.incomparable(side.path)
            case .json, .opaqueText, .transformed, .serverText:
                throw unsupported("\(op.rawValue) on \(side.path), which is stored without an order,")
            case .plain, .secondsSince1970: break
            }
        }
        try requireSameForm(left, right)
        if left.isNullable && right.isNullable {
            throw unsupported("\(op.rawValue) between two optionals", "unwrap them with ?? or if let")
        }
        let result = SQLExpression.condition(
            "\(left.ordered) \(raw: op.rawValue) \(right.operand)",
            nullness: left.isNullable || right.isNullable ? .falsehood : .never,
            requires: left.requires.union(right.requires))
        // PostgreSQL has NaN greater than every number, Swift neither less nor greater: keep it out of the greater side.
        switch op {
        case .greater, .greaterOrEqual: return left.mayBeNaN ? result.and(left.isNumber) : result
        case .less, .lessOrEqual: return right.mayBeNaN ? result.and(right.isNumber) : result
        }
    }

    /// Counting stops at the first element where only emptiness is asked for.
    private func compareCount(of sequence: SQLSequence, _ op: OrderOperator, _ limit: Int) throws -> SQLExpression? {
        guard let isEmpty = Self.asksForEmptiness(op, limit) else { return nil }
        return isEmpty ? try self.isEmpty(sequence) : try isNotEmpty(sequence)
    }

    /// Whether `count op limit` says that there is nothing (`true`) or something (`false`).
    private static func asksForEmptiness(_ op: OrderOperator, _ limit: Int) -> Bool? {
        switch (op, limit) {
        case (.less, 1), (.lessOrEqual, 0): true
        case (.greater, 0), (.greaterOrEqual, 1): false
        default: nil
        }
    }

    /// `a.compare(b) == .orderedAscending`.
    func order(_ order: StringOrder, is value: Any) throws -> SQLExpression {
        guard let result = value as? ComparisonResult else {
            throw unsupported("a comparison of strings, compared with a \(type(of: value)),")
        }
        let (left, right) = (order.lhs, order.rhs)
        guard result != .orderedSame else {
            guard order.method == .caseInsensitive else { return try equal(.value(left), .value(right)) }
            if let text = order.text {
                return try equal(.value(left.mapped(.lower)), .constant(CaseTable.Mapping.lower(text)))
            }
            return try equal(.value(left.mapped(.lower)), .value(right.mapped(.lower)))
        }
        let op: OrderOperator = result == .orderedAscending ? .less : .greater
        switch order.method {
        case .exact: return try compare(left, op, right)
        case .caseInsensitive:
            return try compare(left.mapped(.lower), op, right.mapped(.lower))
        case .localized:
            let (foldedLeft, foldedRight) = (left.folded, right.folded)
            let same = try equal(.value(foldedLeft), .value(foldedRight))
            return try compare(foldedLeft, op, foldedRight).or(same.and(compare(left, op, right)))
        }
    }

    /// `range.contains(element)`.
    func contains(_ range: PredicateRange, _ element: PredicateOperand) throws -> SQLExpression {
        if case .value(let expression) = element, expression.isText {
            // Swift's ranges compare canonically equivalent strings as equal, bytes do not.
            throw unsupported("a range of strings, for \(expression.path),", "compare with >= and <=")
        }
        let isGuarded = range.upper?.isConstant ?? false
        let lower = try range.lower.map { try compare(element, .greaterOrEqual, $0, isGuarded: isGuarded) } ?? .true
        let upper =
            try range.upper.map { try compare(element, range.includesUpper ? .lessOrEqual : .less, $0) } ?? .true
        let result = lower.and(upper)
        guard range.lower == nil, case .value(let expression) = element, expression.type == .numeric,
            expression.mayBeNaN
        else { return result }
        // A range without a lower bound holds the NaN of Decimal, which is less than every number there.
        return result.or(
            .condition(
                "\(expression.operand) = \(expression.nan)", nullness: expression.isNullable ? .falsehood : .never))
    }
}

extension SQLExpression {
    /// The value as an operand of an order comparison.
    var ordered: SQLFragment { isText ? "\(operand) COLLATE \"C\"" : operand }

    /// The string without case and accents.
    var folded: SQLExpression {
        var result = self
        result.sql = StringFold.standard(sql)
        result.shape = .comparison
        return result
    }

    fileprivate var isNumber: SQLExpression {
        .condition("\(operand) < \(nan)", nullness: isNullable ? .falsehood : .never, requires: requires)
    }
}

/// A range from the standard library, with its bounds as they are captured.
protocol CapturedRange {
    var predicateRange: PredicateRange { get }
}

extension Range: CapturedRange {
    var predicateRange: PredicateRange {
        PredicateRange(lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: false)
    }
}
extension ClosedRange: CapturedRange {
    var predicateRange: PredicateRange {
        PredicateRange(lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: true)
    }
}
extension PartialRangeFrom: CapturedRange {
    var predicateRange: PredicateRange { PredicateRange(lower: .constant(lowerBound), upper: nil, includesUpper: true) }
}
extension PartialRangeThrough: CapturedRange {
    var predicateRange: PredicateRange { PredicateRange(lower: nil, upper: .constant(upperBound), includesUpper: true) }
}
extension PartialRangeUpTo: CapturedRange {
    var predicateRange: PredicateRange {
        PredicateRange(lower: nil, upper: .constant(upperBound), includesUpper: false)
    }
}
