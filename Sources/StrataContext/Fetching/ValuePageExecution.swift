import StrataClient
import StrataModels
import StrataRepository

/// Reads values of one page of objects by a cursor, without the objects.
final class ValuePageExecution<T: PersistentModel, Row>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.values }
    private let query: FetchQuery<T, PageStatement<ValueSelection>>
    private let reading: ValueReading<Row>
    private let request: PageRequest
    private var rows: RowCollector<Row>
    private var count = 0
    private var lastPlace: PageCursor?
    private var isDone = false

    init(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ reading: ValueReading<Row>, _ request: PageRequest,
        unit: UnitOfWork
    ) throws {
        self.query = try FetchQuery(descriptor, unit: unit, reading: .keys) { try $0.page(of: query, request) }
        self.reading = reading
        self.request = request
        session = self.query.session
        // What no row can be read as is refused before anything is sent.
        rows = try reading.collector(self.query.planned().content, session.store.identities)
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        let page = try query.planned()
        rows = try reading.collector(page.content, session.store.identities)
        var batch = PostgresBatch()
        batch.add(
            page.statement, onResult: { try page.content.check($0) },
            onRow: { row in
                self.count += 1
                // The one beyond the page says that there is a next page.
                guard self.count <= self.request.size else { return }
                try self.rows.append(row)
                if self.count == self.request.size { self.lastPlace = page.cursor(at: row) }
            })
        return batch
    }

    /// What was read, once, and where the next page begins; `nil` after the last.
    func takeResult() -> (rows: [Row], next: PageCursor?) { (rows.takeAll(), count > request.size ? lastPlace : nil) }
}
