import Foundation
import StrataClient
import StrataModels

/// All that the statement of a fetch depends on but the values of its parameters. Fetches of one shape have one text.
struct FetchShape: Hashable, Sendable {
    fileprivate let model: ObjectIdentifier
    /// The types of the predicate's trees: such a type names every node, and each operator but the comparisons'.
    fileprivate let trees: [ObjectIdentifier]
    /// What no type says: properties, comparisons, truth values, directions, in the order of the nodes.
    fileprivate let steps: [Int]
    fileprivate let limit: LimitForm?
    fileprivate let lock: RowLock?
    fileprivate let includesDeleted: Bool
}

/// The shape of a fetch and the values that its predicate has captured, each of which is a parameter, in their order. Behind them stands a
/// limit that is a parameter.
///
/// There is one for what most fetches are: comparisons of properties with numbers, texts, dates and UUIDs, joined by `&&` and `!`, ordered by
/// properties. Of other nodes and values the text depends: `nil` is `IS NULL`, `||` looks for what both sides imply, a count is compared
/// with 0 in another way than with 1.
struct ShapedFetch {
    let shape: FetchShape
    private let values: [any PostgresCodable]

    /// `nil` for a fetch whose text depends on more.
    init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) {
        guard descriptor.orderBy.isEmpty, descriptor.groupLimit == nil, descriptor.fetchOffset == nil,
            descriptor.propertiesToFetch.isEmpty
        else { return nil }
        var reader = ShapeReader()
        if let predicate = descriptor.predicate, !reader.read(predicate.expression, of: predicate.variable) {
            return nil
        }
        for sort in descriptor.sortBy {
            guard let keyPath = sort.keyPath, let property = T._$descriptor.property(for: keyPath) else { return nil }
            reader.steps += [property.slot, sort.order == .forward ? 0 : 1]
        }
        let limit = descriptor.fetchLimit.map { LimitForm(of: $0) }
        if limit == .parameter, let count = descriptor.fetchLimit {
            // Planning says what is wrong with it.
            guard count >= 0 else { return nil }
            reader.values.append(count)
        }
        shape = FetchShape(
            model: ObjectIdentifier(T.self), trees: reader.trees, steps: reader.steps, limit: limit,
            lock: descriptor.lock, includesDeleted: descriptor.includeDeleted)
        values = reader.values
    }

    /// The parameters of its statement; `nil` for a value that the database cannot hold.
    var parameters: PostgresParameters? {
        var parameters = PostgresParameters()
        for value in values {
            do { try parameters.append(value) } catch { return nil }
        }
        return parameters
    }
}

/// Reads the shape of a predicate from its nodes.
struct ShapeReader {
    fileprivate(set) var trees: [ObjectIdentifier] = []
    fileprivate(set) var steps: [Int] = []
    fileprivate(set) var values: [any PostgresCodable] = []
    /// What stands for the object in the tree that is read.
    fileprivate var variable: PredicateExpressions.VariableID?

    /// False where a text depends on more than the shape.
    mutating func read<Input>(
        _ tree: some PredicateExpression, of variable: PredicateExpressions.Variable<Input>
    ) -> Bool {
        trees.append(ObjectIdentifier(type(of: tree)))
        self.variable = variable.key
        return read(tree)
    }

    fileprivate mutating func read(_ node: some PredicateExpression) -> Bool {
        (node as? any ShapedNode)?.read(by: &self) ?? false
    }
}

/// A node whose text depends on its type, on what it appends to the reader's steps, and on nothing else.
private protocol ShapedNode {
    func read(by reader: inout ShapeReader) -> Bool
}

extension PredicateExpressions.Variable: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool { key == reader.variable }
}

extension PredicateExpressions.KeyPath: ShapedNode {
    /// A property of the object, or of one that a to-one relationship leads to.
    fileprivate func read(by reader: inout ShapeReader) -> Bool {
        guard let model = Root.Output.self as? any PersistentModel.Type,
            let property = model._$descriptor.property(for: keyPath), reader.read(root)
        else { return false }
        reader.steps.append(property.slot)
        return true
    }
}

extension PredicateExpressions.Value: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool {
        switch value {
        case let truth as Bool: reader.steps.append(truth ? 1 : 0)
        case let number as Int: reader.values.append(number)
        case let text as String: reader.values.append(text)
        case let date as Date: reader.values.append(date)
        case let uuid as UUID: reader.values.append(uuid)
        default: return false
        }
        return true
    }
}

extension PredicateExpressions.Equal: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool { reader.read(lhs) && reader.read(rhs) }
}

extension PredicateExpressions.NotEqual: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool { reader.read(lhs) && reader.read(rhs) }
}

extension PredicateExpressions.Comparison: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool {
        let op =
            switch OrderOperator(op) {
            case .less: 0
            case .lessOrEqual: 1
            case .greater: 2
            case .greaterOrEqual: 3
            }
        reader.steps.append(op)
        return reader.read(lhs) && reader.read(rhs)
    }
}

extension PredicateExpressions.ExactStringComparison: ShapedNode {
    /// What `#Predicate` writes where texts are compared.
    fileprivate func read(by reader: inout ShapeReader) -> Bool {
        let step =
            switch op {
            case .equal: 0
            case .notEqual: 1
            case .lessThan: 2
            case .lessThanOrEqual: 3
            case .greaterThan: 4
            case .greaterThanOrEqual: 5
            }
        reader.steps.append(step)
        return reader.read(lhs) && reader.read(rhs)
    }
}

extension PredicateExpressions.Conjunction: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool { reader.read(lhs) && reader.read(rhs) }
}

extension PredicateExpressions.Negation: ShapedNode {
    fileprivate func read(by reader: inout ShapeReader) -> Bool { reader.read(wrapped) }
}

extension PredicateExpressions.ExpressionEvaluate: ShapedNode {
    /// What `#Predicate` writes: the predicate's body as an expression over its input.
    fileprivate func read(by reader: inout ShapeReader) -> Bool {
        for argument in repeat each input {
            guard reader.read(argument) else { return false }
        }
        return (expression as? any BodyPath)?.readBody(by: &reader) ?? false
    }
}

/// A key path, which may lead from a captured body to its evaluation.
private protocol BodyPath {
    func readBody(by reader: inout ShapeReader) -> Bool
}

extension PredicateExpressions.KeyPath: BodyPath {
    fileprivate func readBody(by reader: inout ShapeReader) -> Bool {
        // From a body there is no other path: what is made of it is made in one place.
        (Root.Output.self as? any CapturedBody.Type)?.read(capturedIn: root, by: &reader) ?? false
    }
}

/// What `#Predicate` has made of its closure, without its types.
private protocol CapturedBody {
    static func read(capturedIn node: some PredicateExpression, by reader: inout ShapeReader) -> Bool
}

extension ExpressionBody: CapturedBody {
    fileprivate static func read(capturedIn node: some PredicateExpression, by reader: inout ShapeReader) -> Bool {
        guard let body = (node as? PredicateExpressions.Value<Self>)?.value else { return false }
        let tree: any StandardPredicateExpression<Output> = body.expression.expression
        return reader.read(tree, of: body.variable)
    }
}
