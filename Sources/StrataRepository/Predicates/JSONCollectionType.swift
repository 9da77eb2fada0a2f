/// A collection whose form in JSON is known, without its type.
protocol JSONCollectionType {
    /// What its elements are; of a dictionary, what its values are.
    static var jsonElementType: Any.Type { get }
    static var jsonKind: JSONSequence.Kind { get }
    /// What a key path reads, of what Foundation gives no name to.
    static func member(_ keyPath: AnyKeyPath) -> JSONCollectionMember?
}

/// What can be asked of a collection inside of JSON.
enum JSONCollectionMember {
    case count, isEmpty, keys, values
}

extension Array: JSONCollectionType {
    static var jsonElementType: Any.Type { Element.self }
    static var jsonKind: JSONSequence.Kind { .list }
    static func member(_ keyPath: AnyKeyPath) -> JSONCollectionMember? {
        switch keyPath {
        case \Self.count: .count
        case \Self.isEmpty: .isEmpty
        default: nil
        }
    }
}

extension Set: JSONCollectionType {
    static var jsonElementType: Any.Type { Element.self }
    static var jsonKind: JSONSequence.Kind { .list }
    static func member(_ keyPath: AnyKeyPath) -> JSONCollectionMember? {
        switch keyPath {
        case \Self.count: .count
        case \Self.isEmpty: .isEmpty
        default: nil
        }
    }
}

extension Dictionary: JSONCollectionType {
    static var jsonElementType: Any.Type { Value.self }
    static var jsonKind: JSONSequence.Kind { .dictionary(Key.self) }
    static func member(_ keyPath: AnyKeyPath) -> JSONCollectionMember? {
        switch keyPath {
        case \Self.count: .count
        case \Self.isEmpty: .isEmpty
        case \Self.keys: .keys
        case \Self.values: .values
        default: nil
        }
    }
}
