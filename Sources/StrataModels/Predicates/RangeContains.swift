// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `(lower...upper).contains(element)` or `(lower..<upper).contains(element)`: two comparisons, as in SQL.
    ///
    /// Between bounds of which the lower is the greater one, or one is NaN, there is nothing. Foundation's node makes a range of
    /// them first, which ends the program, and bounds may be stored values.
    public struct RangeContains<
        Lower: PredicateExpression, Upper: PredicateExpression, Element: PredicateExpression
    >: PredicateExpression
    where Lower.Output == Element.Output, Upper.Output == Element.Output, Element.Output: Comparable {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let lower: Lower
        package let upper: Upper
        package let element: Element
        package let includesUpper: Bool

        package init(lower: Lower, upper: Upper, element: Element, includesUpper: Bool) {
            self.lower = lower
            self.upper = upper
            self.element = element
            self.includesUpper = includesUpper
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let (least, greatest) = (try lower.evaluate(bindings), try upper.evaluate(bindings))
            let sought = try element.evaluate(bindings)
            // The NaN of Decimal is less than every number in Swift.
            for case let number as Decimal in [least, greatest, sought] where number.isNaN { return false }
            return least <= sought && (includesUpper ? sought <= greatest : sought < greatest)
        }
    }

    /// Builds `(lower...upper).contains(element)`.
    public static func build_contains<Lower, Upper, Element>(
        _ range: ClosedRange<Lower, Upper>, _ element: Element
    ) -> RangeContains<Lower, Upper, Element>
    where Element: PredicateExpression, Lower.Output == Element.Output {
        RangeContains(lower: range.lower, upper: range.upper, element: element, includesUpper: true)
    }

    /// Builds `(lower..<upper).contains(element)`.
    public static func build_contains<Lower, Upper, Element>(
        _ range: Range<Lower, Upper>, _ element: Element
    ) -> RangeContains<Lower, Upper, Element>
    where Element: PredicateExpression, Lower.Output == Element.Output {
        RangeContains(lower: range.lower, upper: range.upper, element: element, includesUpper: false)
    }
}

extension PredicateExpressions.RangeContains: Sendable where Lower: Sendable, Upper: Sendable, Element: Sendable {}
extension PredicateExpressions.RangeContains: Codable where Lower: Codable, Upper: Codable, Element: Codable {}
extension PredicateExpressions.RangeContains: StandardPredicateExpression
where
    Lower: StandardPredicateExpression, Upper: StandardPredicateExpression, Element: StandardPredicateExpression
{}
