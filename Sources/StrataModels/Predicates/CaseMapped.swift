// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `lowercased()` or `uppercased()`, one scalar to one scalar as ``SimpleCaseMapping`` says.
    public struct CaseMapped<Base: PredicateExpression>: PredicateExpression where Base.Output == String {
        /// What the node evaluates to.
        public typealias Output = String

        /// Which case.
        public enum Mapping: String, Codable, Sendable {
            /// As `lowercased()`.
            case lower
            /// As `uppercased()`.
            case upper
        }

        package let base: Base
        package let mapping: Mapping

        package init(base: Base, mapping: Mapping) {
            self.base = base
            self.mapping = mapping
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> String {
            let string = try base.evaluate(bindings)
            return switch mapping {
            case .lower: SimpleCaseMapping.lowercase(string)
            case .upper: SimpleCaseMapping.uppercase(string)
            }
        }
    }

    /// Builds `base.lowercased()`.
    public static func build_lowercased<Base>(_ base: Base) -> CaseMapped<Base>
    where Base: PredicateExpression<String> {
        CaseMapped(base: base, mapping: .lower)
    }

    /// Builds `base.uppercased()`.
    public static func build_uppercased<Base>(_ base: Base) -> CaseMapped<Base>
    where Base: PredicateExpression<String> {
        CaseMapped(base: base, mapping: .upper)
    }
}

extension PredicateExpressions.CaseMapped: Sendable where Base: Sendable {}
extension PredicateExpressions.CaseMapped: Codable where Base: Codable {}
extension PredicateExpressions.CaseMapped: StandardPredicateExpression where Base: StandardPredicateExpression {}
