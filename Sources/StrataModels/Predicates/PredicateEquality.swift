import Foundation

/// Whether two predicates are the same expression over the same values.
///
/// The types of two trees say whether they have the same nodes; what is left to compare are key paths, captured values and
/// which variable is which. A loop, because trees may be deeper than a thread's stack allows.
struct PredicateEquality {
    private var pending: [(Any, Any)] = []
    /// Each closure has variables of its own: those of one tree, by those of the other.
    private var variables: [PredicateExpressions.VariableID: PredicateExpressions.VariableID] = [:]

    static func areEqual<Input>(_ lhs: Predicate<Input>?, _ rhs: Predicate<Input>?) -> Bool {
        guard let lhs, let rhs else { return lhs == nil && rhs == nil }
        return areEqual(lhs as any Sendable, rhs as any Sendable)
    }

    /// The same for expressions, or whatever is part of a predicate.
    static func areEqual(_ lhs: any Sendable, _ rhs: any Sendable) -> Bool {
        var equality = PredicateEquality(pending: [(lhs, rhs)])
        return equality.run()
    }

    private mutating func run() -> Bool {
        while let (lhs, rhs) = pending.popLast() {
            guard type(of: lhs) == type(of: rhs), compare(lhs, rhs) else { return false }
        }
        return true
    }

    /// Compares two parts of one type, and notes the parts of those that have some.
    private mutating func compare(_ lhs: Any, _ rhs: Any) -> Bool {
        switch (lhs, rhs) {
        case (let lhs as any VariableNode, let rhs as any VariableNode): match(lhs.key, rhs.key)
        case (let lhs as any BodyNode, let rhs as any BodyNode): push(lhs, rhs)
        case (let lhs as any PredicateExpression, let rhs as any PredicateExpression): pushParts(of: lhs, rhs)
        case (let lhs as AnyKeyPath, let rhs as AnyKeyPath): lhs == rhs
        case (let lhs as String, let rhs as String): ExactString.equal(lhs, rhs)
        case (let lhs as any PartsInOrder, let rhs as any PartsInOrder): pushParts(of: lhs, rhs)
        case (let lhs as any Equatable, let rhs): lhs.isEqual(to: rhs)
        case (let lhs as any Encodable, let rhs as any Encodable): Self.areEncodedAlike(lhs, rhs)
        default: Mirror(reflecting: lhs).displayStyle == .tuple && pushParts(of: lhs, rhs)
        }
    }

    /// What a closure was made of, whatever its text.
    private mutating func push(_ lhs: any BodyNode, _ rhs: any BodyNode) -> Bool {
        pending.append((lhs.node, rhs.node))
        return match(lhs.variableKey, rhs.variableKey)
    }

    /// Nodes of one type have the same parts, which are nodes, key paths and values.
    private mutating func pushParts(of lhs: Any, _ rhs: Any) -> Bool {
        let (left, right) = (Mirror(reflecting: lhs).children, Mirror(reflecting: rhs).children)
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) { pending.append((left.value, right.value)) }
        return true
    }

    private mutating func match(
        _ lhs: PredicateExpressions.VariableID, _ rhs: PredicateExpressions.VariableID
    ) -> Bool {
        if let known = variables[lhs] { return known == rhs }
        guard !variables.values.contains(rhs) else { return false }
        variables[lhs] = rhs
        return true
    }

    private static func areEncodedAlike(_ lhs: any Encodable, _ rhs: any Encodable) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let left = try? encoder.encode(lhs), let right = try? encoder.encode(rhs) else { return false }
        return left == right
    }
}

private protocol VariableNode {
    var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableNode {}

/// What `#Predicate` or `#Expression` of this module made of its closure.
private protocol BodyNode {
    var node: any PredicateExpression { get }
    var variableKey: PredicateExpressions.VariableID { get }
}

extension ExpressionBody: BodyNode {
    fileprivate var node: any PredicateExpression { expression.expression }
    fileprivate var variableKey: PredicateExpressions.VariableID { expression.variable.key }
}

/// A value whose parts are compared one by one, so that text in it is compared as predicates compare it.
private protocol PartsInOrder {}

extension Array: PartsInOrder {}
extension Optional: PartsInOrder {}
// Variables and tree; one that is captured is compared like the rest.
extension Foundation.Predicate: PartsInOrder {}
extension Foundation.Expression: PartsInOrder {}
extension PredicateExpressions.ElementValues: PartsInOrder {}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
