import Foundation
import StrataModels
import Synchronization

/// Where the tree of a predicate has what its type does not say: properties, comparisons, captured values.
///
/// It follows from the type, which names every node, so it is made once a type. A tree is then read without asking its nodes one by
/// one: a cast for each took longer than all else that a fetch of a known shape does.
struct TreeLayout: Sendable {
    /// What stands at a place in the bytes of a tree.
    enum Leaf: Sendable {
        /// What stands for the object.
        case variable
        /// The key path of a property of this class.
        case property(of: ModelDescriptor)
        /// One byte: which comparison, or a truth value.
        case byte
        // Captured values, each of which is a parameter.
        case number
        case text
        case date
        case uuid
        /// Another tree: the body that `#Predicate` has made of its closure. What stands for the object in it has a place of its own.
        case tree(variable: Int)
    }

    private(set) var leaves: [(leaf: Leaf, offset: Int)] = []

    /// Types of trees follow from the code of a program, which has few.
    private static let capacity = 1000
    private static let known = Mutex<[ObjectIdentifier: TreeLayout?]>([:])

    /// `nil` for a type with a node or a value on whose values the text of a statement depends.
    static func of(_ tree: any PredicateExpression.Type) -> TreeLayout? {
        let type = ObjectIdentifier(tree)
        if let known = known.withLock({ $0[type] }) { return known }
        var made = TreeLayout()
        let layout = (tree as? any ShapedNode.Type)?.add(to: &made, at: 0) == true ? made : nil
        known.withLock { known in
            if known.count >= capacity { known = [:] }
            known[type] = .some(layout)
        }
        return layout
    }

    /// Adds what stands at a stored property of a node; false where the property has no place in the node's bytes.
    fileprivate mutating func add<Node>(_ leaf: Leaf, at path: KeyPath<Node, some Any>, of node: Int) -> Bool {
        guard let offset = MemoryLayout<Node>.offset(of: path) else { return false }
        leaves.append((leaf, node + offset))
        return true
    }

    /// Adds one byte; false for what takes more.
    fileprivate mutating func addByte<Node, Value>(at path: KeyPath<Node, Value>, of node: Int) -> Bool {
        MemoryLayout<Value>.size == 1 && add(.byte, at: path, of: node)
    }

    /// Adds what is in a node within a node.
    fileprivate mutating func add<Node, Inner>(_ path: KeyPath<Node, Inner>, of node: Int) -> Bool {
        guard let inner = Inner.self as? any ShapedNode.Type, let offset = MemoryLayout<Node>.offset(of: path) else {
            return false
        }
        return inner.add(to: &self, at: node + offset)
    }
}

/// A node on whose type and leaves, and nothing else, the text of a statement depends.
private protocol ShapedNode {
    /// Adds the leaves, in the order of the nodes; false where the text depends on more.
    static func add(to layout: inout TreeLayout, at offset: Int) -> Bool
}

extension PredicateExpressions.Variable: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.add(.variable, at: \Self.key, of: offset)
    }
}

extension PredicateExpressions.KeyPath: ShapedNode {
    /// A property of the object, or of one that a to-one relationship leads to.
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        guard let model = Root.Output.self as? any PersistentModel.Type else { return false }
        return layout.add(.property(of: model._$descriptor), at: \Self.keyPath, of: offset)
            && layout.add(\Self.root, of: offset)
    }
}

extension PredicateExpressions.Value: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        let leaf: TreeLayout.Leaf
        switch Output.self {
        case is Bool.Type: leaf = .byte
        case is Int.Type: leaf = .number
        case is String.Type: leaf = .text
        case is Date.Type: leaf = .date
        case is UUID.Type: leaf = .uuid
        default: return false
        }
        return layout.add(leaf, at: \Self.value, of: offset)
    }
}

extension PredicateExpressions.Equal: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.add(\Self.lhs, of: offset) && layout.add(\Self.rhs, of: offset)
    }
}

extension PredicateExpressions.NotEqual: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.add(\Self.lhs, of: offset) && layout.add(\Self.rhs, of: offset)
    }
}

extension PredicateExpressions.Comparison: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.addByte(at: \Self.op, of: offset) && layout.add(\Self.lhs, of: offset)
            && layout.add(\Self.rhs, of: offset)
    }
}

extension PredicateExpressions.ExactStringComparison: ShapedNode {
    /// What `#Predicate` writes where texts are compared.
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.addByte(at: \Self.op, of: offset) && layout.add(\Self.lhs, of: offset)
            && layout.add(\Self.rhs, of: offset)
    }
}

extension PredicateExpressions.Conjunction: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.add(\Self.lhs, of: offset) && layout.add(\Self.rhs, of: offset)
    }
}

extension PredicateExpressions.Negation: ShapedNode {
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        layout.add(\Self.wrapped, of: offset)
    }
}

extension PredicateExpressions.ExpressionEvaluate: ShapedNode {
    /// What `#Predicate` writes: the predicate's body as an expression over its input.
    fileprivate static func add(to layout: inout TreeLayout, at offset: Int) -> Bool {
        (Transformation.self as? any BodyPath.Type)?.body?.add(Self.self, to: &layout, at: offset) ?? false
    }
}

/// A key path that leads from a captured body to its evaluation.
private protocol BodyPath {
    static var body: (any CapturedBody.Type)? { get }
}

extension PredicateExpressions.KeyPath: BodyPath {
    // From a body there is no other path: what is made of it is made in one place.
    fileprivate static var body: (any CapturedBody.Type)? { (Root.self as? any BodyValue.Type)?.body }
}

/// A captured value that may be a body.
private protocol BodyValue {
    static var body: (any CapturedBody.Type)? { get }
}

extension PredicateExpressions.Value: BodyValue {
    fileprivate static var body: (any CapturedBody.Type)? { Output.self as? any CapturedBody.Type }
}

/// What `#Predicate` has made of its closure, without its types.
private protocol CapturedBody {
    /// Adds the leaves of the node that evaluates such a body; false for a node of another type, and a body of no truth value.
    static func add(_ node: any PredicateExpression.Type, to layout: inout TreeLayout, at offset: Int) -> Bool
}

extension ExpressionBody: CapturedBody {
    private typealias Value = PredicateExpressions.Value<Self>
    private typealias Path = PredicateExpressions.KeyPath<Value, Expression<Input, Output>>
    private typealias Evaluation = PredicateExpressions.ExpressionEvaluate<
        Path, PredicateExpressions.Variable<Input>, Output
    >

    // A key path of a node with a pack, written where the pack is not known, ends the process (Swift 6.3): so the body says where it stands.
    fileprivate static func add(
        _ node: any PredicateExpression.Type, to layout: inout TreeLayout, at offset: Int
    ) -> Bool {
        guard Output.self == Bool.self, node == Evaluation.self,
            let path = MemoryLayout<Evaluation>.offset(of: \Evaluation.expression),
            let value = MemoryLayout<Path>.offset(of: \Path.root),
            let body = MemoryLayout<Value>.offset(of: \Value.value),
            let expression = MemoryLayout<Self>.offset(of: \Self.expression),
            let variable = MemoryLayout<Self>.offset(of: \Self.variable)
        else { return false }
        let place = offset + path + value + body
        return layout.add(\Evaluation.input, of: offset)
            && layout.add(
                .tree(variable: place + variable), at: \Expression<Input, Output>.expression, of: place + expression)
    }
}
