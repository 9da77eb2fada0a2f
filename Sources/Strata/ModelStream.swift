public import StrataContext

/// The objects of a fetch, one after the other: `ModelContext.stream(_:pageSize:)`.
public struct ModelStream<T: PersistentModel>: AsyncSequence {
    /// One object.
    public typealias Element = T

    let context: ModelContext
    let descriptor: FetchDescriptor<T>
    let pageSize: Int

    /// Begins at the first object.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(context: context, descriptor: descriptor, pageSize: pageSize)
    }

    /// One walk through the objects.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let context: ModelContext
        let descriptor: FetchDescriptor<T>
        let pageSize: Int
        private var page: ArraySlice<T> = []
        private var next: PageCursor?
        private var hasBegun = false

        init(context: ModelContext, descriptor: FetchDescriptor<T>, pageSize: Int) {
            self.context = context
            self.descriptor = descriptor
            self.pageSize = pageSize
        }

        /// The next object; `nil` after the last.
        ///
        /// - Throws: what `fetch` throws; `CancellationError` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> T? {
            if let object = page.popFirst() { return object }
            guard !hasBegun || next != nil else { return nil }
            try Task.checkCancellation()
            let fetched = try await context.suspendingFetchPage(descriptor, after: next, size: pageSize)
            (page, next, hasBegun) = (fetched.objects[...], fetched.next, true)
            return page.popFirst()
        }

        /// The next object; `nil` after the last.
        public mutating func next() async throws -> T? {
            try await next(isolation: #isolation)
        }
    }
}

extension ModelContext {
    /// The objects that match, one after the other, for `for try await`. One round trip a page, and one a level of prefetching.
    ///
    /// ```swift
    /// for try await trip in context.stream(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])) {
    ///     try await send(trip.name)
    /// }
    /// ```
    ///
    /// A page is asked for when the loop has had all objects of the one before: a slow loop holds nothing but objects, no connection
    /// and no transaction, and may end at any time. So the pages are no snapshot: what others save behind the loop's
    /// place is seen, and an object whose place in the order changes may come twice or not at all. For one snapshot, see
    /// `enumerate`.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, without limit and offset.
    ///   - pageSize: how many objects are read at once.
    public func stream<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, pageSize: Int = 500) -> ModelStream<T> {
        ModelStream(context: self, descriptor: descriptor, pageSize: pageSize)
    }
}
