package import StrataModels
import StrataRepository

/// Values of the objects of a fetch, to be read page by page.
package struct ValuePages<T: PersistentModel, Row> {
    private let context: ModelContext
    private let descriptor: FetchDescriptor<T>
    private let query: ValueQuery
    private let reading: ValueReading<Row>
    private let size: Int

    init(
        _ context: ModelContext, _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ reading: ValueReading<Row>,
        size: Int
    ) {
        self.context = context
        self.descriptor = descriptor
        self.query = query
        self.reading = reading
        self.size = size
    }

    /// The page behind a cursor; blocks this thread.
    func blockingPage(after cursor: PageCursor?) throws -> ValuePage<Row> {
        try context.perform(execution(after: cursor)).takeResult()
    }

    /// The page behind a cursor.
    package func page(after cursor: PageCursor?) async throws -> ValuePage<Row> {
        try await context.perform(execution(after: cursor)).takeResult()
    }

    private func execution(after cursor: PageCursor?) throws -> ValuePageExecution<T, Row> {
        let request = try PageRequest(cursor, .forward, size: size)
        return try ValuePageExecution(
            descriptor, query, reading, request, isLimited: false, unit: context.unit)
    }
}
