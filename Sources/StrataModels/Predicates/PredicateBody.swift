public import Foundation

/// What `#Predicate` makes of its closure: the tree of nodes, and the closure's text for people.
///
/// Foundation can only describe its own nodes, and stops the program when asked to describe a predicate with any other.
/// So a predicate of ours holds one of Foundation's nodes, which evaluates this captured body; the body holds the tree.
public struct PredicateBody<Input>: Sendable, CustomStringConvertible {
    package let expression: Expression<Input, Bool>
    /// The text of the closure, without the values it captured.
    public let description: String

    /// Makes a predicate; `#Predicate` calls it, and is the way to write one.
    public static func predicate(
        _ source: String,
        _ builder: (PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Bool>
    ) -> Foundation.Predicate<Input> {
        let body = PredicateBody(expression: Expression(builder), description: source)
        return Foundation.Predicate { input in
            PredicateExpressions.ExpressionEvaluate(
                expression: PredicateExpressions.build_KeyPath(
                    root: PredicateExpressions.Value(body),
                    keyPath: \PredicateBody.evaluation
                ),
                input: input
            )
        }
    }

    // A computed property, because a key path to the stored one of a generic struct has no fixed offset.
    private var evaluation: Expression<Input, Bool> { expression }
}

// A predicate cannot be archived on Linux, but Foundation asks every captured value to be Codable.
extension PredicateBody: Codable {
    /// Always throws `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "A predicate cannot be encoded")
        )
    }

    /// Always throws `DecodingError.dataCorrupted`.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "A predicate cannot be decoded")
        )
    }
}
