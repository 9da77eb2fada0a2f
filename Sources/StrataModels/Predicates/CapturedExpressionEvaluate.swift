// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// `expression.evaluate(input)`: what a captured `#Expression` gives for a part of this predicate.
    ///
    /// An expression over a superclass accepts an input of a subclass.
    public struct CapturedExpressionEvaluate<Input, Output, Argument: PredicateExpression>: PredicateExpression {
        package let expression: Expression<Input, Output>
        package let input: Argument

        package init(expression: Expression<Input, Output>, input: Argument) {
            self.expression = expression
            self.input = input
        }

        /// Evaluates the node in memory. Throws `PredicateError.invalidInput` when the argument is not an `Input`.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            guard let value = try input.evaluate(bindings) as? Input else { throw PredicateError.invalidInput }
            return try expression.evaluate(value)
        }
    }

    /// Builds `expression.evaluate(input)`.
    public static func build_evaluation<Input, Output, Argument: PredicateExpression>(
        _ expression: Value<Expression<Input, Output>>,
        _ input: Argument
    ) -> CapturedExpressionEvaluate<Input, Output, Argument> {
        CapturedExpressionEvaluate(expression: expression.value, input: input)
    }
}

extension PredicateExpressions.CapturedExpressionEvaluate: Sendable where Argument: Sendable {}

// An expression cannot be archived on Linux, but Foundation asks every node of one to be Codable.
extension PredicateExpressions.CapturedExpressionEvaluate: Encodable where Argument: Encodable {
    /// Always throws `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "A captured expression cannot be encoded")
        )
    }
}

extension PredicateExpressions.CapturedExpressionEvaluate: Decodable where Argument: Decodable {
    /// Always throws `DecodingError.dataCorrupted`.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "A captured expression cannot be decoded")
        )
    }
}

extension PredicateExpressions.CapturedExpressionEvaluate: StandardPredicateExpression
where Argument: StandardPredicateExpression {}
