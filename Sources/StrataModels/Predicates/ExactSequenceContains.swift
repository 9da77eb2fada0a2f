// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `contains(_:)` on a collection of strings, or of optional strings, by Unicode scalars.
    public struct ExactSequenceContains<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output: Sequence, RHS.Output == LHS.Output.Element {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let sequence: LHS
        package let element: RHS

        package init(sequence: LHS, element: RHS) {
            self.sequence = sequence
            self.element = element
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let elements = try sequence.evaluate(bindings)
            // `as?` looks through the optional, so both kinds of element become an optional string.
            guard let sought = try element.evaluate(bindings) as? String else {
                return elements.contains { ($0 as? String) == nil }
            }
            return elements.contains { ($0 as? String).map { ExactString.equal($0, sought) } ?? false }
        }
    }

    /// Builds `strings.contains(string)`.
    public static func build_contains<LHS, RHS>(_ lhs: LHS, _ rhs: RHS) -> ExactSequenceContains<LHS, RHS>
    where LHS: PredicateExpression, LHS.Output: Sequence<String>, RHS: PredicateExpression<String> {
        ExactSequenceContains(sequence: lhs, element: rhs)
    }

    /// Builds `optionalStrings.contains(optionalString)`.
    public static func build_contains<LHS, RHS>(_ lhs: LHS, _ rhs: RHS) -> ExactSequenceContains<LHS, RHS>
    where LHS: PredicateExpression, LHS.Output: Sequence<String?>, RHS: PredicateExpression<String?> {
        ExactSequenceContains(sequence: lhs, element: rhs)
    }
}

extension PredicateExpressions.ExactSequenceContains: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ExactSequenceContains: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ExactSequenceContains: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
