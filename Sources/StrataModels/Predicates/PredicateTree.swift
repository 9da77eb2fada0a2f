package import Foundation

/// The nodes of a predicate, for translation.
package struct PredicateTree<Input> {
    package let expression: any StandardPredicateExpression<Bool>
    /// Stands for the input in ``expression``.
    package let variable: PredicateExpressions.Variable<Input>
    /// The text of the closure; `nil` for a predicate that no macro of this module made.
    package let source: String?

    /// The tree inside the ``PredicateBody`` if this module's `#Predicate` made the predicate, else the predicate's
    /// own.
    package init(_ predicate: Foundation.Predicate<Input>) {
        if let body = (predicate.expression as? any PredicateBodyHolder)?.heldBody as? PredicateBody<Input> {
            expression = body.expression.expression
            variable = body.variable
            source = body.description
        } else {
            expression = predicate.expression
            variable = predicate.variable
            source = nil
        }
    }
}

extension ExpressionBody {
    /// The text of the closure that this module's `#Expression` has made an expression of; `nil` for one of another origin.
    static func source(of expression: Expression<Input, Output>) -> String? {
        ((expression.expression as? any PredicateBodyHolder)?.heldBody as? ExpressionBody)?.description
    }
}

/// The nodes between a predicate and its body, through which it is found without naming their types.
private protocol PredicateBodyHolder {
    var heldBody: Any? { get }
}

extension PredicateExpressions.ExpressionEvaluate: PredicateBodyHolder {
    fileprivate var heldBody: Any? { (expression as? any PredicateBodyHolder)?.heldBody }
}

extension PredicateExpressions.KeyPath: PredicateBodyHolder {
    fileprivate var heldBody: Any? { (root as? any PredicateBodyHolder)?.heldBody }
}

extension PredicateExpressions.Value: PredicateBodyHolder {
    fileprivate var heldBody: Any? { value }
}
