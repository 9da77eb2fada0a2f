import StrataClient
import StrataModels
import StrataRepository

/// Reads values of objects, or of groups of objects, without the objects.
final class ValueExecution<T: PersistentModel, Row>: StoreOperation {
    let session: StoreSession
    private let query: FetchQuery<T, ValueSelection>
    /// Chooses how a row is read, once a statement.
    private let reading: (ValueSelection, [EntityIdentity]) throws -> (PostgresRow) throws -> Row
    private var isDone = false
    private(set) var result: [Row] = []

    init<each Value>(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ types: (repeat (each Value).Type), unit: UnitOfWork,
        into transform: @escaping (repeat each Value) throws -> Row
    ) throws {
        reading = { selection, identities in
            var index = -1
            func reader<V>(_ type: V.Type) throws -> ValueReader<V> {
                index += 1
                return try selection.reader(index, of: type, identities: identities)
            }
            let readers = (repeat try reader(each types))
            return { row in try transform(repeat try (each readers).read(row)) }
        }
        self.query = try FetchQuery(descriptor, unit: unit, reading: .keys) { try $0.values(query) }
        session = self.query.session
        // What no row can be read as is refused before anything is sent.
        _ = try reading(self.query.planned(), session.store.identities)
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        let selection = try query.planned()
        let read = try reading(selection, session.store.identities)
        var batch = PostgresBatch()
        batch.add(
            selection.statement, onResult: { try selection.check($0) },
            onRow: { self.result.append(try read($0)) })
        return batch
    }
}
