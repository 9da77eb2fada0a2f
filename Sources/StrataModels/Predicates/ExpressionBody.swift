public import Foundation
import Synchronization

/// What `#Predicate` and `#Expression` make of their closure: the tree of nodes, and the closure's text for people.
///
/// Foundation can only describe its own nodes, and stops the program when asked to describe a predicate with any other.
/// So a predicate or expression of ours holds one of Foundation's nodes, which evaluates this captured body; the body holds the tree.
///
/// What a program calls for each predicate is inlined there, where the types are known: otherwise each step asks the runtime for the types
/// of all nodes.
@frozen public struct ExpressionBody<Input, Output>: Sendable, CustomStringConvertible {
    @usableFromInline package let expression: Expression<Input, Output>
    /// Stands for the input in the tree.
    @usableFromInline package let variable: PredicateExpressions.Variable<Input>
    /// The text of the closure, without the values it captured.
    public let description: String

    @inlinable
    init(
        _ source: String, _ builder: (PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Output>
    ) {
        var input: PredicateExpressions.Variable<Input>?
        expression = Expression { variable in
            input = variable
            return builder(variable)
        }
        // The compiler does not take the expression's own variable for one of this type.
        variable = input ?? PredicateExpressions.Variable()
        description = source
    }

    /// Makes an expression; `#Expression` calls it, and is the way to write one.
    @inlinable
    public static func expression(
        _ source: String,
        _ builder: (PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Output>
    ) -> Expression<Input, Output> {
        let body = ExpressionBody(source, builder)
        return Expression { body.node(input: $0) }
    }

    @inlinable
    func node(
        input: PredicateExpressions.Variable<Input>
    ) -> some StandardPredicateExpression<Output> {
        PredicateExpressions.ExpressionEvaluate(
            expression: PredicateExpressions.build_KeyPath(
                root: PredicateExpressions.Value(self),
                keyPath: Self.path
            ),
            input: input
        )
    }

    /// The key path to ``evaluation``. Those of a generic type are made anew wherever they stand, which takes longer than all else.
    @usableFromInline
    static var path: any KeyPath<ExpressionBody, Expression<Input, Output>> & Sendable {
        let type = ObjectIdentifier(ExpressionBody.self)
        if let known = evaluationPaths.withLock({ $0[type] }) {
            return unsafeDowncast(known, to: EvaluationPath<Input, Output>.self).path
        }
        let made = EvaluationPath<Input, Output>(path: \ExpressionBody.evaluation)
        evaluationPaths.withLock { $0[type] = made }
        return made.path
    }

    // A computed property, because a key path to the stored one of a generic struct has no fixed offset.
    private var evaluation: Expression<Input, Output> { expression }
}

/// The key path to the evaluation of one type of bodies.
private final class EvaluationPath<Input, Output>: Sendable {
    let path: any KeyPath<ExpressionBody<Input, Output>, Expression<Input, Output>> & Sendable

    init(path: any KeyPath<ExpressionBody<Input, Output>, Expression<Input, Output>> & Sendable) { self.path = path }
}

/// Those that were made, by the type of the bodies.
private let evaluationPaths = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

/// What `#Predicate` makes of its closure.
public typealias PredicateBody<Input> = ExpressionBody<Input, Bool>

extension ExpressionBody where Output == Bool {
    /// Makes a predicate; `#Predicate` calls it, and is the way to write one.
    @inlinable
    public static func predicate(
        _ source: String,
        _ builder: (PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Bool>
    ) -> Foundation.Predicate<Input> {
        let body = ExpressionBody(source, builder)
        return Foundation.Predicate { body.node(input: $0) }
    }
}

// A predicate cannot be archived on Linux, but Foundation asks every captured value to be Codable.
extension ExpressionBody: Codable {
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
