// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `compare`, `caseInsensitiveCompare` or `localizedCompare` on strings; compare the result with a case of
    /// `ComparisonResult`, as in `$0.name.caseInsensitiveCompare(text) == .orderedSame`.
    public struct StringCompare<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == String, RHS.Output == String {
        /// What the node evaluates to.
        public typealias Output = ComparisonResult

        /// What is compared.
        public enum Method: String, Codable, Sendable {
            /// The strings, scalar by scalar.
            case exact
            /// Both lowercased as ``SimpleCaseMapping`` says, scalar by scalar.
            case caseInsensitive
            /// Both folded as ``LocalizedStandardFold`` says; where those are equal, the strings scalar by scalar.
            case localized
        }

        package let lhs: LHS
        package let rhs: RHS
        package let method: Method

        package init(lhs: LHS, rhs: RHS, method: Method) {
            self.lhs = lhs
            self.rhs = rhs
            self.method = method
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            let left = try lhs.evaluate(bindings)
            let right = try rhs.evaluate(bindings)
            switch method {
            case .exact: return Self.order(left, right)
            case .caseInsensitive:
                return Self.order(SimpleCaseMapping.lowercase(left), SimpleCaseMapping.lowercase(right))
            case .localized:
                let folded = Self.order(LocalizedStandardFold.fold(left), LocalizedStandardFold.fold(right))
                return folded == .orderedSame ? Self.order(left, right) : folded
            }
        }

        private static func order(_ lhs: String, _ rhs: String) -> ComparisonResult {
            if ExactString.less(lhs, rhs) { return .orderedAscending }
            return ExactString.less(rhs, lhs) ? .orderedDescending : .orderedSame
        }
    }

    /// Builds `lhs.compare(rhs)`.
    public static func build_compare<LHS, RHS>(_ lhs: LHS, _ rhs: RHS) -> StringCompare<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        StringCompare(lhs: lhs, rhs: rhs, method: .exact)
    }

    /// Builds `lhs.caseInsensitiveCompare(rhs)`.
    public static func build_caseInsensitiveCompare<LHS, RHS>(_ lhs: LHS, _ rhs: RHS) -> StringCompare<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        StringCompare(lhs: lhs, rhs: rhs, method: .caseInsensitive)
    }

    /// Builds `lhs.localizedCompare(rhs)`.
    public static func build_localizedCompare<LHS, RHS>(_ lhs: LHS, _ rhs: RHS) -> StringCompare<LHS, RHS>
    where LHS: PredicateExpression<String>, RHS: PredicateExpression<String> {
        StringCompare(lhs: lhs, rhs: rhs, method: .localized)
    }
}

extension PredicateExpressions.StringCompare: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.StringCompare: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.StringCompare: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
