import Foundation
import StrataClient

/// Whether two predicates are the same expression over the same values: values that the server is sent alike. Canonically equal texts are
/// two to it, wherever they stand: within a set, as the key of a dictionary, as a raw value.
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
        case (let lhs as any ValueOfOneForm, let rhs): lhs.isEqual(to: rhs)
        case (let lhs as any PersistentModel, let rhs): lhs.isEqual(to: rhs)
        case (let lhs as any PartsInOrder, let rhs as any PartsInOrder): pushParts(of: lhs, rhs)
        case (let lhs as any PartsByKey, let rhs): push(lhs.pairs(with: rhs))
        default: isSentAlike(lhs, rhs)
        }
    }

    /// Whether values are the same to the server in each form in which they may be sent: as a value of a type of its own, as a raw value, as a
    /// document. Which it will be, the other side of a comparison says. What has none of these forms is compared as it is.
    private mutating func isSentAlike(_ lhs: Any, _ rhs: Any) -> Bool {
        var isSent = false
        if let lhs = lhs as? any PostgresCodable, let rhs = rhs as? any PostgresCodable {
            let (left, right) = (Self.parameter(lhs), Self.parameter(rhs))
            if let left, let right {
                guard left.isSame(as: right) else { return false }
                isSent = true
            } else if left != nil || right != nil {
                return false
            }
        } else if let lhs = lhs as? any PostgresTextCodable, let rhs = rhs as? any PostgresTextCodable {
            guard ExactString.equal(lhs.postgresText, rhs.postgresText) else { return false }
            isSent = true
        } else if let lhs = lhs as? any RawRepresentable, let rhs = rhs as? any RawRepresentable {
            pending.append((lhs.rawValue, rhs.rawValue))
            isSent = true
        }
        if let lhs = lhs as? any Encodable, let rhs = rhs as? any Encodable {
            // Of what JSON cannot say, such as numbers without end, neither has this form.
            let (left, right) = (Self.document(lhs), Self.document(rhs))
            guard left == right else { return false }
            isSent = isSent || left != nil
        }
        if isSent { return true }
        if let lhs = lhs as? any Equatable { return lhs.isEqual(to: rhs) }
        return Mirror(reflecting: lhs).displayStyle == .tuple && pushParts(of: lhs, rhs)
    }

    private static func parameter(_ value: some PostgresCodable) -> PostgresParameters? {
        try? PostgresParameters(value)
    }

    private mutating func push(_ pairs: [(Any, Any)]?) -> Bool {
        guard let pairs else { return false }
        pending += pairs
        return true
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

    private static func document(_ value: any Encodable) -> Data? { try? JSONForm.encoder.encode(value) }
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

/// A value whose parts are found by keys: those of both are compared in pairs, in whatever order they come.
private protocol PartsByKey {
    /// `nil` where one has a part that the other has not.
    func pairs(with other: Any) -> [(Any, Any)]?
}

extension Set: PartsByKey {
    fileprivate func pairs(with other: Any) -> [(Any, Any)]? {
        guard let other = other as? Self, count == other.count else { return nil }
        var pairs: [(Any, Any)] = []
        for element in self {
            guard let place = other.firstIndex(of: element) else { return nil }
            pairs.append((element, other[place]))
        }
        return pairs
    }
}

extension Dictionary: PartsByKey {
    fileprivate func pairs(with other: Any) -> [(Any, Any)]? {
        guard let other = other as? Self, count == other.count else { return nil }
        var pairs: [(Any, Any)] = []
        for (key, value) in self {
            guard let place = other.index(forKey: key) else { return nil }
            pairs.append((key, other[place].key))
            pairs.append((value, other[place].value))
        }
        return pairs
    }
}

/// A value of which `==` says all: what is equal is sent alike, in whatever form.
private protocol ValueOfOneForm: Equatable {}

extension Bool: ValueOfOneForm {}
extension Int: ValueOfOneForm {}
extension Int8: ValueOfOneForm {}
extension Int16: ValueOfOneForm {}
extension Int32: ValueOfOneForm {}
extension Int64: ValueOfOneForm {}
extension UInt: ValueOfOneForm {}
extension UInt8: ValueOfOneForm {}
extension UInt16: ValueOfOneForm {}
extension UInt32: ValueOfOneForm {}
extension UInt64: ValueOfOneForm {}
extension UUID: ValueOfOneForm {}
extension Data: ValueOfOneForm {}
extension PersistentIdentifier: ValueOfOneForm {}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
