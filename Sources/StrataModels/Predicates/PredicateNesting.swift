import Foundation

/// How many predicates may be inside of each other.
package enum PredicateNesting {
    /// Each takes space on the stack, in memory as in the translation to SQL; a thread has some megabytes.
    package static let limit = 1000

    /// Counts in the bindings of an evaluation.
    static let depth = PredicateExpressions.Variable<Int>()

    package static func check(_ depth: Int) throws {
        guard depth > limit else { return }
        throw SwiftDataError(
            .unsupportedPredicate,
            "A predicate with more than \(limit) evaluates inside of each other is too deep. Combine predicates in pairs, "
                + "then the pairs, and so on; or write many values as one array and ask whether it contains the property."
        )
    }
}
