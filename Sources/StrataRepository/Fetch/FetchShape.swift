import Foundation
import StrataClient
import StrataModels

/// All that the statement of a fetch depends on but the values of its parameters. Fetches of one shape have one text.
struct FetchShape: Hashable, Sendable {
    fileprivate let model: ObjectIdentifier
    /// The types of the predicate's trees, each of which names its nodes; and what no type says: properties, comparisons, truth values,
    /// directions, in the order of the nodes.
    fileprivate let words: [Int]
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
    /// The parameters of its statement.
    let parameters: PostgresParameters

    /// `nil` for a fetch whose text depends on more, and for a value that the database cannot hold.
    init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) {
        guard descriptor.orderBy.isEmpty, descriptor.groupLimit == nil, descriptor.fetchOffset == nil,
            descriptor.fetchedKeyPaths.isEmpty
        else { return nil }
        var reader = ShapeReader()
        if let predicate = descriptor.predicate, !reader.read(predicate.expression, of: predicate.variable.key) {
            return nil
        }
        for sort in descriptor.sortBy {
            guard let keyPath = sort.keyPath, let property = T._$descriptor.property(for: keyPath) else { return nil }
            reader.words += [property.slot, sort.order == .forward ? 0 : 1]
        }
        let limit = descriptor.fetchLimit.map { LimitForm(of: $0) }
        if limit == .parameter, let count = descriptor.fetchLimit {
            // Planning says what is wrong with it.
            guard count >= 0, reader.append(count) else { return nil }
        }
        shape = FetchShape(
            model: ObjectIdentifier(T.self), words: reader.words, limit: limit, lock: descriptor.lock,
            includesDeleted: descriptor.includeDeleted)
        parameters = reader.parameters
    }
}

/// Reads the shape of a predicate, and the values that it has captured, from the bytes of its trees.
struct ShapeReader {
    fileprivate(set) var words: [Int] = []
    fileprivate(set) var parameters = PostgresParameters()
    /// What stands for the object in the tree that is read.
    private var variable: PredicateExpressions.VariableID?

    init() {
        // Mostly enough.
        words.reserveCapacity(8)
    }

    /// False where a text depends on more than the shape, and for a value that the database cannot hold.
    mutating func read<Tree: PredicateExpression>(_ tree: Tree, of variable: PredicateExpressions.VariableID) -> Bool {
        guard let layout = TreeLayout.of(Tree.self) else { return false }
        words.append(Int(bitPattern: ObjectIdentifier(Tree.self)))
        self.variable = variable
        return withUnsafeBytes(of: tree) { bytes in
            for (leaf, offset) in layout.leaves {
                guard read(leaf, at: offset, in: bytes) else { return false }
            }
            return true
        }
    }

    private mutating func read(_ leaf: TreeLayout.Leaf, at offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        func load<Value>(_ type: Value.Type) -> Value { bytes.load(fromByteOffset: offset, as: type) }
        switch leaf {
        case .variable: return load(PredicateExpressions.VariableID.self) == variable
        case .property(let model):
            guard let property = model.property(for: load(AnyKeyPath.self)) else { return false }
            words.append(property.slot)
            return true
        case .byte:
            words.append(Int(bytes[offset]))
            return true
        case .number: return append(load(Int.self))
        case .text: return append(load(String.self))
        case .date: return append(load(Date.self))
        case .uuid: return append(load(UUID.self))
        case .tree(let variable):
            let variable = bytes.load(fromByteOffset: variable, as: PredicateExpressions.VariableID.self)
            return read(load((any StandardPredicateExpression<Bool>).self), of: variable)
        }
    }

    fileprivate mutating func append(_ value: some PostgresCodable) -> Bool {
        do {
            try parameters.append(value)
            return true
        } catch {
            return false
        }
    }
}
