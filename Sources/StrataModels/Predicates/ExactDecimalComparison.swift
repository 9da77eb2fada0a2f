// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `<`, `<=`, `>` or `>=` on decimals: NaN is neither less nor greater than anything, as with `Double`.
    ///
    /// Foundation has it less than every number, PostgreSQL greater. Either would need a second condition for the rare NaN,
    /// and no index serves that.
    public struct ExactDecimalComparison<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == Decimal, RHS.Output == Decimal {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let comparison: Comparison<LHS, RHS>

        package init(_ comparison: Comparison<LHS, RHS>) {
            self.comparison = comparison
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let (left, right) = (try comparison.lhs.evaluate(bindings), try comparison.rhs.evaluate(bindings))
            guard !left.isNaN, !right.isNaN else { return false }
            return switch comparison.op {
            case .lessThan: left < right
            case .lessThanOrEqual: left <= right
            case .greaterThan: left > right
            case .greaterThanOrEqual: left >= right
            @unknown default: left >= right
            }
        }
    }

    /// Builds `<`, `<=`, `>` and `>=` on decimals.
    public static func build_Comparison<LHS, RHS>(
        lhs: LHS,
        rhs: RHS,
        op: ComparisonOperator
    ) -> ExactDecimalComparison<LHS, RHS>
    where LHS: PredicateExpression<Decimal>, RHS: PredicateExpression<Decimal> {
        ExactDecimalComparison(Comparison(lhs: lhs, rhs: rhs, op: op))
    }
}

extension PredicateExpressions.ExactDecimalComparison: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ExactDecimalComparison: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ExactDecimalComparison: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
