/// What a ``TreeEncoder`` makes of a value.
package protocol EncodedTree {
    static var null: Self { get }
    static func object(_ fields: [String: Self]) -> Self
    static func list(_ elements: [Self]) -> Self

    /// The tree of a value that is not asked what it says of itself; `nil` for one that is.
    ///
    /// - Throws: `EncodingError` for a value that no tree can be made of.
    static func leaf(_ value: some Encodable) throws -> Self?
}

/// Makes the tree of a value from what the value says of itself, without a text in between.
package struct TreeEncoder<Tree: EncodedTree>: Encoder {
    /// A place in the tree. Containers fill it while others are filled, so it is shared.
    private final class Place {
        enum Content {
            case nothing
            case plain(Tree)
            case object([String: Place])
            case list([Place])
        }

        var content = Content.nothing

        /// What was said; a value that says nothing of itself is an object without fields.
        var tree: Tree {
            switch content {
            case .nothing: .object([:])
            case .plain(let tree): tree
            case .object(let fields): .object(fields.mapValues { $0.tree })
            case .list(let elements): .list(elements.map { $0.tree })
            }
        }

        var count: Int { if case .list(let elements) = content { elements.count } else { 0 } }

        func field(_ name: String) -> Place {
            let place = Place()
            guard case .object(var fields) = content else {
                content = .object([name: place])
                return place
            }
            // Else the dictionary would be copied for each field.
            content = .nothing
            fields[name] = place
            content = .object(fields)
            return place
        }

        func element() -> Place {
            let place = Place()
            guard case .list(var elements) = content else {
                content = .list([place])
                return place
            }
            content = .nothing
            elements.append(place)
            content = .list(elements)
            return place
        }

        func begin(_ empty: Content) { if case .nothing = content { content = empty } }

        func put<Value: Encodable>(_ value: Value) throws {
            guard let leaf = try Tree.leaf(value) else { return try value.encode(to: TreeEncoder(self)) }
            content = .plain(leaf)
        }
    }

    private let place: Place
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init(_ place: Place) { self.place = place }

    package static func tree(of value: some Encodable) throws -> Tree {
        let place = Place()
        try place.put(value)
        return place.tree
    }

    package func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        place.begin(.object([:]))
        return KeyedEncodingContainer(Fields<Key>(place: place))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        place.begin(.list([]))
        return Elements(place: place)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { Single(place: place) }

    private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let place: Place
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { place.field(key.stringValue).content = .plain(.null) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try place.field(key.stringValue).put(value)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            TreeEncoder(place.field(key.stringValue)).container(keyedBy: keyedBy)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            TreeEncoder(place.field(key.stringValue)).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { TreeEncoder(place.field("super")) }
        func superEncoder(forKey key: Key) -> any Encoder { TreeEncoder(place.field(key.stringValue)) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let place: Place
        var codingPath: [any CodingKey] { [] }
        var count: Int { place.count }

        func encodeNil() { place.element().content = .plain(.null) }
        func encode<Value: Encodable>(_ value: Value) throws { try place.element().put(value) }
        func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
            TreeEncoder(place.element()).container(keyedBy: keyedBy)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            TreeEncoder(place.element()).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { TreeEncoder(place.element()) }
    }

    private struct Single: SingleValueEncodingContainer {
        let place: Place
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { place.content = .plain(.null) }
        func encode<Value: Encodable>(_ value: Value) throws { try place.put(value) }
    }
}
