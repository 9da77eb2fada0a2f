// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `other.evaluate(input)`: a captured predicate applied to a part of this one.
    ///
    /// A predicate over a superclass accepts an input of a subclass.
    public struct PredicateEvaluate<Input, Argument: PredicateExpression>: PredicateExpression {
        /// What the node evaluates to.
        public typealias Output = Bool

        package let predicate: Predicate<Input>
        package let input: Argument

        package init(predicate: Predicate<Input>, input: Argument) {
            self.predicate = predicate
            self.input = input
        }

        /// Throws `PredicateError.invalidInput` when the argument is not an `Input`.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            guard let value = try input.evaluate(bindings) as? Input else { throw PredicateError.invalidInput }
            return try predicate.evaluate(value)
        }
    }

    /// Builds `other.evaluate(input)`.
    public static func build_evaluate<Input, Argument: PredicateExpression>(
        _ predicate: Value<Predicate<Input>>,
        _ input: Argument
    ) -> PredicateEvaluate<Input, Argument> {
        PredicateEvaluate(predicate: predicate.value, input: input)
    }
}

extension PredicateExpressions.PredicateEvaluate: Sendable where Argument: Sendable {}

// A predicate cannot be archived on Linux, but Foundation asks every node of one to be Codable.
extension PredicateExpressions.PredicateEvaluate: Encodable where Argument: Encodable {
    /// Always throws `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "A captured predicate cannot be encoded")
        )
    }
}

extension PredicateExpressions.PredicateEvaluate: Decodable where Argument: Decodable {
    /// Always throws `DecodingError.dataCorrupted`.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "A captured predicate cannot be decoded")
        )
    }
}

extension PredicateExpressions.PredicateEvaluate: StandardPredicateExpression
where Argument: StandardPredicateExpression {}
