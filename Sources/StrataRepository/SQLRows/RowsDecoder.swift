import StrataClient

/// Lets a `Decodable` type decode itself from each row of a result.
///
/// Every row asks for a container, which has no state: so there is one for all rows.
final class RowsDecoder: Decoder {
    private let rows: RowValueDecoder
    @exclusivity(unchecked) private var kept: (keys: ObjectIdentifier, container: AnyObject)?

    private final class Kept<Key: CodingKey> {
        let container: KeyedDecodingContainer<Key>

        init(_ container: KeyedDecodingContainer<Key>) { self.container = container }
    }

    init(_ type: Any.Type, _ columns: ResultColumns) { rows = RowValueDecoder(type, columns) }

    func decode<Value: Decodable>(_ type: Value.Type, from row: PostgresRow) throws -> Value {
        try rows.withRow(row) { try Value(from: self) }
    }

    // MARK: Decoder

    var codingPath: [any CodingKey] { rows.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { rows.userInfo }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let kept, kept.keys == ObjectIdentifier(type) {
            return unsafeDowncast(kept.container, to: Kept<Key>.self).container
        }
        let container = try rows.container(keyedBy: type)
        kept = (ObjectIdentifier(type), Kept(container))
        return container
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try rows.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try rows.singleValueContainer() }
}
