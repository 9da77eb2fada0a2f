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

        /// Evaluates the node in memory.
        ///
        /// Throws `PredicateError.invalidInput` when the argument is not an `Input`, and ``SwiftDataError`` with the code
        /// `unsupportedPredicate` when more than 1,000 predicates are inside of each other.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            guard let value = try input.evaluate(bindings) as? Input else { throw PredicateError.invalidInput }
            // The tree itself: through `Predicate.evaluate` each level would need twice the stack, and not know its depth.
            let tree = PredicateTree(predicate)
            let depth = (bindings[PredicateNesting.depth] ?? 0) + 1
            try PredicateNesting.check(depth)
            return try tree.expression.evaluate(
                PredicateBindings((tree.variable, value), (PredicateNesting.depth, depth)))
        }
    }

    /// Builds `other.evaluate(input)`.
    public static func build_evaluation<Input, Argument: PredicateExpression>(
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
