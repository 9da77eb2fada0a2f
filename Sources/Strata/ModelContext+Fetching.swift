public import StrataContext

extension ModelContext {
    /// The objects that match, each as its own class. One round trip, and one a level of prefetching.
    ///
    /// A fetch of a class returns objects of its subclasses too. Objects that are in this context already are the same
    /// instances: without unsaved changes they take the values just read, with unsaved changes they keep their own.
    ///
    /// Unsaved changes take part as if they had been saved, unless `includePendingChanges` is off. Where new objects have unique
    /// values, that is one round trip more; and another one where rows with these values are there and deletions by predicate
    /// are unsaved.
    ///
    /// With a `lock`, within a transaction: the rows are locked until it ends, and the objects have the values of then. Unsaved
    /// changes are no rows: `save()` first, or leave them out; an object that has some keeps them. Of classes with subclasses all rows
    /// of an object are locked, in one round trip more. An order is that of before a wait (PostgreSQL manual, SELECT).
    /// - Throws: ``SwiftDataError``; `unsupportedPredicate` and `unsupportedKeyPath` before anything is sent; with a lock
    ///   `unsupportedFeature` outside of a transaction and while there are unsaved changes, and a retryable `storeFailure` for
    ///   `noWait` when somebody else has locked a row.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> [T] {
        try await suspendingFetch(descriptor)
    }

    /// The objects of one page, and how many there are on all pages together.
    ///
    /// One round trip, and one a level of prefetching.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    /// descriptor.fetchLimit = 20
    /// let page = try await context.fetchPage(descriptor)
    /// print("1 to \(page.objects.count) of \(page.totalCount)")
    /// ```
    ///
    /// The server counts every object that matches, which takes longer the more there are. Page and count are two statements
    /// of one round trip: a save of somebody else may come between them, unless they are in a transaction that is
    /// `repeatableRead`. Unsaved changes take part as in `fetch`.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> FetchedPage<T> {
        try await suspendingFetchPage(descriptor)
    }

    /// The objects that match and can be read, and an error for each row that cannot.
    ///
    /// One round trip, and one a level of prefetching.
    ///
    /// `fetch` throws when one row holds what its class cannot, such as a text that is no case of an enumeration; other programs
    /// can store that. This call goes around such rows, so that the others can be worked with and these be found:
    ///
    /// ```swift
    /// let trips = try await context.fetchReadable(FetchDescriptor<Trip>())
    /// for failure in trips.failures { logger.error("\(failure)") }
    /// ```
    ///
    /// A row that cannot be read counts for the descriptor's limit and offset. Related objects that are prefetched have to
    /// be readable.
    /// - Throws: ``SwiftDataError``, as `fetch`, but not for values and classes of single rows.
    public func fetchReadable<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> ReadableObjects<T> {
        try await suspendingFetchReadable(descriptor)
    }

    /// How many objects match, with unsaved changes as in a fetch. One round trip.
    ///
    /// As many as `fetch` with the same descriptor would return: within its `fetchLimit` and `fetchOffset`. To show how many
    /// there are beside one page, see `fetchPage(_:)`.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> Int {
        try await suspendingFetchCount(descriptor)
    }

    /// The identifiers of the objects that match, in the descriptor's order. One round trip.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> [PersistentIdentifier]
    {
        try await suspendingFetchIdentifiers(descriptor)
    }

    /// The objects that match, read in batches when they are asked for. One round trip now, and one a batch later, which
    /// blocks the thread (and one a level of prefetching).
    ///
    /// As the blocking form.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) async throws
        -> FetchResultsCollection<T>
    {
        try await suspendingFetch(descriptor, batchSize: batchSize)
    }

    /// The identifiers of the objects that match, in the descriptor's order. One round trip.
    ///
    /// Identifiers are small: all are read at once, whatever the size of a batch.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) async throws
        -> FetchResultsCollection<PersistentIdentifier>
    {
        try await suspendingFetchIdentifiers(descriptor, batchSize: batchSize)
    }

    /// The object with this identifier: from memory, else from the store. At most one round trip.
    ///
    /// - Throws: ``SwiftDataError`` with the code `modelNotFound` when there is no such row.
    public func model(for identifier: PersistentIdentifier) async throws -> any PersistentModel {
        try await suspendingModel(for: identifier)
    }

    /// The object with this identifier: from memory, else from the store; blocks this thread. At most one round trip.
    ///
    /// - Throws: ``SwiftDataError`` with the code `modelNotFound` when there is no such row. (SwiftData's returns an
    ///   object that traps when it is used.)
    public func model(for identifier: PersistentIdentifier) throws -> any PersistentModel {
        try blockingModel(for: identifier)
    }
}
