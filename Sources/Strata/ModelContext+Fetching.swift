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
    /// - Throws: ``SwiftDataError``; `unsupportedPredicate` and `unsupportedKeyPath` before anything is sent.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> [T] {
        try await suspendingFetch(descriptor)
    }

    /// How many objects match, with unsaved changes as in a fetch. One round trip.
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
}
