// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `contains`, `starts(with:)`/`hasPrefix` or `hasSuffix` on strings, by Unicode scalars.
    ///
    /// An empty needle is found everywhere, and half of a character is found too: `"👍🏽"` contains `"👍"`.
    public struct ExactStringSearch<Base: PredicateExpression, Needle: PredicateExpression>: PredicateExpression
    where Base.Output == String, Needle.Output == String {
        /// What the node evaluates to.
        public typealias Output = Bool

        /// Where the needle must be.
        public enum Place: String, Codable, Sendable {
            /// As `contains(_:)`.
            case anywhere
            /// As `hasPrefix(_:)`.
            case prefix
            /// As `hasSuffix(_:)`.
            case suffix
        }

        package let base: Base
        package let needle: Needle
        package let place: Place

        package init(base: Base, needle: Needle, place: Place) {
            self.base = base
            self.needle = needle
            self.place = place
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let string = try base.evaluate(bindings)
            let sought = try needle.evaluate(bindings)
            return switch place {
            case .anywhere: ExactString.contains(string, sought)
            case .prefix: ExactString.hasPrefix(string, sought)
            case .suffix: ExactString.hasSuffix(string, sought)
            }
        }
    }

    /// Builds `base.contains(needle)` on strings.
    public static func build_contains<Base, Needle>(_ base: Base, _ needle: Needle) -> ExactStringSearch<Base, Needle>
    where Base: PredicateExpression<String>, Needle: PredicateExpression<String> {
        ExactStringSearch(base: base, needle: needle, place: .anywhere)
    }

    /// Builds `base.starts(with: prefix)` on strings.
    public static func build_starts<Base, Prefix>(_ base: Base, with prefix: Prefix) -> ExactStringSearch<Base, Prefix>
    where Base: PredicateExpression<String>, Prefix: PredicateExpression<String> {
        ExactStringSearch(base: base, needle: prefix, place: .prefix)
    }

    /// Builds `base.hasPrefix(prefix)`.
    public static func build_hasPrefix<Base, Prefix>(_ base: Base, _ prefix: Prefix) -> ExactStringSearch<Base, Prefix>
    where Base: PredicateExpression<String>, Prefix: PredicateExpression<String> {
        ExactStringSearch(base: base, needle: prefix, place: .prefix)
    }

    /// Builds `base.hasSuffix(suffix)`.
    public static func build_hasSuffix<Base, Suffix>(_ base: Base, _ suffix: Suffix) -> ExactStringSearch<Base, Suffix>
    where Base: PredicateExpression<String>, Suffix: PredicateExpression<String> {
        ExactStringSearch(base: base, needle: suffix, place: .suffix)
    }
}

extension PredicateExpressions.ExactStringSearch: Sendable where Base: Sendable, Needle: Sendable {}
extension PredicateExpressions.ExactStringSearch: Codable where Base: Codable, Needle: Codable {}
extension PredicateExpressions.ExactStringSearch: StandardPredicateExpression
where Base: StandardPredicateExpression, Needle: StandardPredicateExpression {}
