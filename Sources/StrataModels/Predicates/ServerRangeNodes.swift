// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import StrataClient

extension PredicateExpressions {
    /// `range.contains(value)` of a ``PostgresRange``.
    public struct ServerRangeContains<Container: PredicateExpression, Element: PredicateExpression>: PredicateExpression
    where Element.Output: PostgresRangeBound, Container.Output == PostgresRange<Element.Output> {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let range: Container
        package let element: Element

        package init(range: Container, element: Element) {
            self.range = range
            self.element = element
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try range.evaluate(bindings).contains(element.evaluate(bindings))
        }
    }

    /// `range.overlaps(other)` of ``PostgresRange``s.
    public struct ServerRangeOverlaps<LHS: PredicateExpression, RHS: PredicateExpression, Bound: PostgresRangeBound>:
        PredicateExpression
    where LHS.Output == PostgresRange<Bound>, RHS.Output == PostgresRange<Bound> {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let lhs: LHS
        package let rhs: RHS

        package init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try lhs.evaluate(bindings).overlaps(rhs.evaluate(bindings))
        }
    }

    /// Builds `range.contains(value)`.
    public static func build_contains<Container, Element>(
        _ range: Container, _ element: Element
    ) -> ServerRangeContains<Container, Element>
    where Element.Output: PostgresRangeBound, Container.Output == PostgresRange<Element.Output> {
        ServerRangeContains(range: range, element: element)
    }

    /// Builds `range.overlaps(other)`.
    public static func build_overlaps<LHS, RHS, Bound>(
        _ lhs: LHS, _ rhs: RHS
    ) -> ServerRangeOverlaps<LHS, RHS, Bound>
    where LHS.Output == PostgresRange<Bound>, RHS.Output == PostgresRange<Bound> {
        ServerRangeOverlaps(lhs: lhs, rhs: rhs)
    }
}

extension PredicateExpressions.ServerRangeContains: Sendable where Container: Sendable, Element: Sendable {}
extension PredicateExpressions.ServerRangeContains: Codable where Container: Codable, Element: Codable {}
extension PredicateExpressions.ServerRangeContains: StandardPredicateExpression
where Container: StandardPredicateExpression, Element: StandardPredicateExpression {}

extension PredicateExpressions.ServerRangeOverlaps: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ServerRangeOverlaps: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ServerRangeOverlaps: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
