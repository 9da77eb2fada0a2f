import StrataClient
import StrataModels
import StrataRepository

/// Reads values of objects, or of groups of objects, without the objects.
final class ValueExecution<T: PersistentModel, Row>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.values }
    var rowLimit: Int? { session.rowLimit }
    private let query: FetchQuery<T, ValueSelection>
    private let reading: ValueReading<Row>
    private var isDone = false
    private var rows: RowCollector<Row>

    init(_ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ reading: ValueReading<Row>, unit: UnitOfWork) throws {
        self.query = try FetchQuery(descriptor, unit: unit, reading: .keys) { try $0.values(query) }
        self.reading = reading
        session = self.query.session
        // What no row can be read as is refused before anything is sent.
        rows = try reading.collector(self.query.planned(), session.store.identities)
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        let selection = try query.planned()
        rows = try reading.collector(selection, session.store.identities)
        var batch = PostgresBatch()
        batch.add(selection.statement, onResult: { try selection.check($0) }, onRow: rows.append)
        return batch
    }

    /// What was read, once.
    func takeResult() -> [Row] { rows.takeAll() }
}
