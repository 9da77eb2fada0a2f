// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `==`, `!=`, `<`, `<=`, `>` or `>=` on strings, or on optional strings, by Unicode scalars.
    ///
    /// `nil` equals `nil` only, and is before every string.
    public struct ExactStringComparison<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == RHS.Output {
        /// What the node evaluates to.
        public typealias Output = Bool

        /// What is compared.
        public enum Operator: String, Codable, Sendable {
            /// `==`
            case equal
            /// `!=`
            case notEqual
            /// `<`
            case lessThan
            /// `<=`
            case lessThanOrEqual
            /// `>`
            case greaterThan
            /// `>=`
            case greaterThanOrEqual
        }

        package let lhs: LHS
        package let rhs: RHS
        package let op: Operator

        package init(lhs: LHS, rhs: RHS, op: Operator) {
            self.lhs = lhs
            self.rhs = rhs
            self.op = op
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            // `as?` looks through the optional, so both kinds of operand become an optional string.
            let left = try lhs.evaluate(bindings) as? String
            let right = try rhs.evaluate(bindings) as? String
            return switch op {
            case .equal: Self.equal(left, right)
            case .notEqual: !Self.equal(left, right)
            case .lessThan: Self.less(left, right)
            case .lessThanOrEqual: !Self.less(right, left)
            case .greaterThan: Self.less(right, left)
            case .greaterThanOrEqual: !Self.less(left, right)
            }
        }

        private static func equal(_ lhs: String?, _ rhs: String?) -> Bool {
            guard let lhs, let rhs else { return lhs == nil && rhs == nil }
            return ExactString.equal(lhs, rhs)
        }

        private static func less(_ lhs: String?, _ rhs: String?) -> Bool {
            guard let lhs, let rhs else { return lhs == nil && rhs != nil }
            return ExactString.less(lhs, rhs)
        }
    }

    /// Builds `==` on strings.
    public static func build_Equal<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .equal)
    }

    /// Builds `==` on optional strings.
    public static func build_Equal<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String?>, RHS: PredicateExpression<String?> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .equal)
    }

    /// Builds `!=` on strings.
    public static func build_NotEqual<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .notEqual)
    }

    /// Builds `!=` on optional strings.
    public static func build_NotEqual<LHS, RHS>(lhs: LHS, rhs: RHS) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String?>, RHS: PredicateExpression<String?> {
        ExactStringComparison(lhs: lhs, rhs: rhs, op: .notEqual)
    }

    /// Builds `<`, `<=`, `>` and `>=` on strings.
    public static func build_Comparison<LHS, RHS>(
        lhs: LHS,
        rhs: RHS,
        op: ComparisonOperator
    ) -> ExactStringComparison<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        let exact: ExactStringComparison<LHS, RHS>.Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqual
            @unknown default: .greaterThanOrEqual
            }
        return ExactStringComparison(lhs: lhs, rhs: rhs, op: exact)
    }
}

extension PredicateExpressions.ExactStringComparison: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ExactStringComparison: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ExactStringComparison: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
