import StrataClient
import StrataModels

/// What a `Decodable` type decodes itself from: a row of a result, then the next.
///
/// A type asks for its values in the same order for every row. So the questions of the first row are a plan: which column answers
/// each, and how. Later rows follow it, and only compare what is asked with what was asked; where a type asks otherwise (because
/// of what it has read), the column is looked up.
final class RowValueDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let columns: ResultColumns
    let type: Any.Type
    // Read and written for each value, never held across a call: without checks for overlapping access.
    @exclusivity(unchecked) private(set) var row: PostgresRow?
    @exclusivity(unchecked) private var questions: [ColumnQuestion] = []
    /// The names that were asked for, and what reads the answers: apart from the questions, which are copied for each value.
    @exclusivity(unchecked) private var answers: [(name: String, reader: AnyObject)] = []
    /// The next of them.
    @exclusivity(unchecked) private var place = 0
    /// Every row asks for a container, which has no state: so there is one for all rows, for each type of keys.
    @exclusivity(unchecked) private var containers: [(keys: ObjectIdentifier, container: AnyObject)] = []

    private final class Kept<Key: CodingKey> {
        let container: KeyedDecodingContainer<Key>

        init(_ container: KeyedDecodingContainer<Key>) { self.container = container }
    }

    init(_ type: Any.Type, _ columns: ResultColumns) {
        self.type = type
        self.columns = columns
    }

    /// Reads rows as values of a type. A row ends with the call: a type that keeps its container reads nothing from it afterwards.
    func reader<Value: Decodable>(of _: Value.Type) -> PlacedReader<Value> {
        PlacedReader { [self] row, place in
            self.row = row
            self.place = 0
            defer { self.row = nil }
            do {
                place.assumingMemoryBound(to: Value.self).initialize(to: try Value(from: self))
            } catch is DecodingError {
                throw columns.misfit(type)
            }
        }
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        for (keys, container) in containers where keys == ObjectIdentifier(type) {
            return unsafeDowncast(container, to: Kept<Key>.self).container
        }
        let container = KeyedDecodingContainer(KeyedColumns<Key>(decoder: self, number: containers.count))
        containers.append((ObjectIdentifier(type), Kept(container)))
        return container
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { OrderedColumns(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try columns.requireCount(1, for: type)
        let decoder = SingleColumnDecoder(0, columns)
        decoder.row = row
        return decoder
    }

    // MARK: Values

    func value<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey, _ code: UInt64?) throws -> Value {
        guard let row else { throw columns.missing(key.stringValue, of: self.type) }
        if place < questions.count, questions[place].type == ObjectIdentifier(type), isNext(key, code) {
            let reader = answers[place].reader
            place += 1
            return try unsafeDowncast(reader, to: ColumnReader<Value>.self).read(row)
        }
        let column = try column(key.stringValue)
        let reader = try ColumnReader<Value>.plan(column, of: columns)
        if place == questions.count {
            questions.append(
                ColumnQuestion(
                    code: code, type: ObjectIdentifier(type), scalar: reader.reader.scalar?.type.number, column: column)
            )
            answers.append((key.stringValue, reader))
            place += 1
        }
        return try reader.read(row)
    }

    /// As ``value(_:_:_:)``, by code of the type's own: for types that most columns have.
    @inline(__always)
    func scalar<Scalar: PostgresCodable & Decodable>(
        _ scalar: CommonScalar, _ type: Scalar.Type, _ key: some CodingKey, _ code: UInt64?
    ) throws -> Scalar {
        guard let row, place < questions.count, questions[place].scalar == scalar.number, isNext(key, code),
            let bytes = row.bytes(questions[place].column)
        else { return try value(type, key, code) }
        let column = questions[place].column
        place += 1
        do throws(PostgresError) { return try Scalar(postgresBytes: bytes) } catch {
            throw columns.misfit(column, type, error.message, underlying: error)
        }
    }

    /// Whether the next question was for a value of `type`, and that is this scalar.
    @inline(__always)
    func isNext(_ scalar: CommonScalar, _ type: Any.Type) -> Bool {
        place < questions.count && questions[place].scalar == scalar.number
            && questions[place].type == ObjectIdentifier(type)
    }

    @inline(__always)
    private func isNext(_ key: some CodingKey, _ code: UInt64?) -> Bool {
        guard let code else { return answers[place].name == key.stringValue }
        return questions[place].code == code
    }

    func column(_ name: String) throws -> Int { try columns.position(of: name, in: type) }

    func nested(_ name: String) -> SwiftDataError {
        SwiftDataError(
            .invalidValue,
            "\(type) decodes \(name) by hand from a container within the row, which has columns only. Give it a Decodable type of "
                + "its own and select jsonb.")
    }
}

/// What a type has asked for once. It holds no reference: it is copied for each value.
private struct ColumnQuestion {
    /// See ``KeyedColumns/code(of:)``.
    let code: UInt64?
    let type: ObjectIdentifier
    /// The number of the ``CommonScalar`` that the value is, where it is read from its bytes alone.
    let scalar: UInt8?
    let column: Int
}

extension CommonScalar {
    /// Compared for each value: `==` of another module's enumeration is called through a witness table.
    @inline(__always)
    fileprivate var number: UInt8 {
        switch self {
        case .string: 0
        case .int: 1
        case .double: 2
        case .bool: 3
        case .date: 4
        case .uuid: 5
        }
    }
}
