public import StrataContext

/// Values of the objects of a fetch, one row after the other: `ModelContext.stream(_:selecting:pageSize:)`.
public struct ValueStream<Row>: AsyncSequence {
    /// The values of one object.
    public typealias Element = Row

    /// Reads the page behind a cursor.
    private let page: (PageCursor?) async throws -> ValuePage<Row>

    fileprivate init<T: PersistentModel>(_ pages: ValuePages<T, Row>) { page = { try await pages.page(after: $0) } }

    /// Begins at the first object.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(page: page) }

    /// One walk through the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let page: (PageCursor?) async throws -> ValuePage<Row>
        private var rows: ArraySlice<Row> = []
        private var next: PageCursor?
        private var hasBegun = false

        init(page: @escaping (PageCursor?) async throws -> ValuePage<Row>) { self.page = page }

        /// The next row; `nil` after the last.
        ///
        /// - Throws: what `fetch(_:selecting:)` throws; `CancellationError` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Row? {
            if let row = rows.popFirst() { return row }
            guard !hasBegun || next != nil else { return nil }
            try Task.checkCancellation()
            let read = try await page(next)
            (rows, next, hasBegun) = (read.rows[...], read.next, true)
            return rows.popFirst()
        }

        /// The next row; `nil` after the last.
        public mutating func next() async throws -> Row? { try await next(isolation: #isolation) }
    }
}

extension ModelContext {
    /// Values of some properties of the objects that match, one row after the other, for `for try await`. One round trip a page.
    ///
    /// ```swift
    /// for try await (name, start) in context.stream(FetchDescriptor<Trip>(), selecting: \.name, \.startDate) {
    ///     try await send(name, start)
    /// }
    /// ```
    ///
    /// No object is made. A page is asked for when the loop has had all rows of the one before: between pages there is no connection and
    /// no transaction. So the pages are no snapshot, as with a stream of objects.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, without limit and offset.
    ///   - keyPaths: what is read of each object.
    ///   - pageSize: how many rows are read at once.
    public func stream<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>, pageSize: Int = 2000
    ) -> ValueStream<(repeat each Value)> {
        ValueStream(
            valuePages(descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), size: pageSize))
    }

    /// Values of the objects that match, one row after the other, for `for try await`. One round trip a page.
    ///
    /// ```swift
    /// let counts = context.stream(
    ///     FetchDescriptor<Trip>(), selecting: .value(\.name), .value(#Expression { $0.bucketList.count }))
    /// ```
    ///
    /// As the form with key paths. Keys and aggregates are refused: groups are fetched.
    public func stream<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>, pageSize: Int = 2000
    ) -> ValueStream<(repeat each Value)> {
        ValueStream(valuePages(descriptor, repeat each columns, size: pageSize))
    }
}
