// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `+` on strings.
    public struct StringConcatenation<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == String, RHS.Output == String {
        /// What the node evaluates to.
        public typealias Output = String

        package let lhs: LHS
        package let rhs: RHS

        package init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> String {
            try lhs.evaluate(bindings) + rhs.evaluate(bindings)
        }
    }

    /// The only arithmetic that strings have.
    public enum StringArithmeticOperator: Sendable {
        /// `+`: one string after the other.
        case add
    }

    /// Builds `lhs + rhs` on strings.
    public static func build_Arithmetic<LHS, RHS>(
        lhs: LHS,
        rhs: RHS,
        op: StringArithmeticOperator
    ) -> StringConcatenation<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        StringConcatenation(lhs: lhs, rhs: rhs)
    }
}

extension PredicateExpressions.StringConcatenation: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.StringConcatenation: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.StringConcatenation: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
