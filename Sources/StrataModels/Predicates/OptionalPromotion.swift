public import Foundation

extension PredicateExpressions {
    /// A value where an optional is expected, as in `$0.nickname == $0.name`.
    public struct OptionalPromotion<Wrapped: PredicateExpression>: PredicateExpression {
        /// What the node evaluates to.
        public typealias Output = Wrapped.Output?

        package let wrapped: Wrapped

        package init(_ wrapped: Wrapped) {
            self.wrapped = wrapped
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output? {
            try wrapped.evaluate(bindings)
        }
    }
}

extension PredicateExpressions.OptionalPromotion: Sendable where Wrapped: Sendable {}
extension PredicateExpressions.OptionalPromotion: Codable where Wrapped: Codable {}
extension PredicateExpressions.OptionalPromotion: StandardPredicateExpression
where Wrapped: StandardPredicateExpression {}
