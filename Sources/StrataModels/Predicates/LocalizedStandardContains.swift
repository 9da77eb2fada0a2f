// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `localizedStandardContains`: whether the needle occurs, whatever the case and the accents.
    ///
    /// Both sides are folded as ``LocalizedStandardFold`` says, and then searched scalar by scalar. The result does not
    /// depend on the locale, so that PostgreSQL and every process give the same answer. An empty needle is found.
    public struct LocalizedStandardContains<Base: PredicateExpression, Needle: PredicateExpression>: PredicateExpression
    where Base.Output == String, Needle.Output == String {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let base: Base
        package let needle: Needle

        package init(base: Base, needle: Needle) {
            self.base = base
            self.needle = needle
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            ExactString.contains(
                LocalizedStandardFold.fold(try base.evaluate(bindings)),
                LocalizedStandardFold.fold(try needle.evaluate(bindings))
            )
        }
    }

    /// Builds `base.localizedStandardContains(needle)`.
    public static func build_localizedStandardContains<Base, Needle>(
        _ base: Base,
        _ needle: Needle
    ) -> LocalizedStandardContains<Base, Needle>
    where Base: PredicateExpression<String>, Needle: PredicateExpression<String> {
        LocalizedStandardContains(base: base, needle: needle)
    }
}

extension PredicateExpressions.LocalizedStandardContains: Sendable where Base: Sendable, Needle: Sendable {}
extension PredicateExpressions.LocalizedStandardContains: Codable where Base: Codable, Needle: Codable {}
extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
where Base: StandardPredicateExpression, Needle: StandardPredicateExpression {}
