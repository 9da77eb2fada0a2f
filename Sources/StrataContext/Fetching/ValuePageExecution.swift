import StrataClient
import StrataModels
import StrataRepository

/// Reads values of one page of objects by a cursor, without the objects.
final class ValuePageExecution<T: PersistentModel, Row>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.values }
    var rowLimit: Int? { isLimited ? rows.limit(session.rowLimit) : nil }
    private let query: FetchQuery<T, PageStatement<ValueSelection>>
    private let reading: ValueReading<Row>
    private var rows: PageRows
    private var values: RowCollector<Row>
    private let isLimited: Bool
    private var isDone = false

    /// - Parameter isLimited: whether the context's limit of rows is one of the page. A stream is as long as it is.
    init(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ reading: ValueReading<Row>, _ request: PageRequest,
        isLimited: Bool, unit: UnitOfWork
    ) throws {
        self.isLimited = isLimited
        self.query = try FetchQuery(descriptor, unit: unit, reading: .keys) { try $0.page(of: query, request) }
        self.reading = reading
        rows = PageRows(request)
        session = self.query.session
        // What no row can be read as is refused before anything is sent.
        values = try reading.collector(self.query.planned().content, session.store.identities)
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        let page = try query.planned()
        values = try reading.collector(page.content, session.store.identities)
        var batch = PostgresBatch()
        batch.add(
            page.statement, onResult: { try page.content.check($0) },
            onRow: { row in
                guard self.rows.isNext() else { return }
                try self.values.append(row)
                self.rows.note(page.cursor(at: row))
            })
        return batch
    }

    func explain(_ error: any Error) -> any Error { rows.explain(error, of: T.self) }

    /// What was read, once.
    func takeResult() -> ValuePage<Row> {
        ValuePage(rows: rows.inOrder(values.takeAll()), next: rows.next, previous: rows.previous)
    }
}
