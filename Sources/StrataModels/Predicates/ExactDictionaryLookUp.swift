// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `dictionary[key]` with keys that are strings, by Unicode scalars.
    public struct ExactDictionaryLookUp<Base: PredicateExpression, Key: PredicateExpression, Element>:
        PredicateExpression
    where Base.Output == [String: Element], Key.Output == String {
        /// What the node evaluates to.
        public typealias Output = Element?

        package let dictionary: Base
        package let key: Key

        package init(dictionary: Base, key: Key) {
            self.dictionary = dictionary
            self.key = key
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Element? {
            let (values, name) = (try dictionary.evaluate(bindings), try key.evaluate(bindings))
            // A dictionary finds a key that is canonically equivalent, too.
            guard let place = values.index(forKey: name), ExactString.equal(values[place].key, name) else { return nil }
            return values[place].value
        }
    }

    /// Builds `dictionary[string]`.
    public static func build_subscript<Base, Key, Element>(
        _ dictionary: Base, _ key: Key
    ) -> ExactDictionaryLookUp<Base, Key, Element>
    where Base: PredicateExpression<[String: Element]>, Key: PredicateExpression<String> {
        ExactDictionaryLookUp(dictionary: dictionary, key: key)
    }

    /// Builds `dictionary[string, default: value]`.
    public static func build_subscript<Base, Key, Fallback>(
        _ dictionary: Base, _ key: Key, default fallback: Fallback
    ) -> NilCoalesce<ExactDictionaryLookUp<Base, Key, Fallback.Output>, Fallback>
    where
        Base: PredicateExpression<[String: Fallback.Output]>, Key: PredicateExpression<String>,
        Fallback: PredicateExpression
    {
        build_NilCoalesce(lhs: ExactDictionaryLookUp(dictionary: dictionary, key: key), rhs: fallback)
    }
}

extension PredicateExpressions.ExactDictionaryLookUp: Sendable where Base: Sendable, Key: Sendable {}
extension PredicateExpressions.ExactDictionaryLookUp: Codable where Base: Codable, Key: Codable {}
extension PredicateExpressions.ExactDictionaryLookUp: StandardPredicateExpression
where Base: StandardPredicateExpression, Key: StandardPredicateExpression {}
