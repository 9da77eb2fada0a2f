import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// The objects that match, each as its own class; blocks this thread. One round trip, and one a level of
    /// prefetching.
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
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        if let lock = descriptor.lock { return try perform(LockedFetchExecution(descriptor, lock, unit: unit)).result }
        return try perform(FetchExecution(descriptor, unit: unit)).result
    }

    /// What asynchronous callers get as `fetch`: see the module Strata.
    package func suspendingFetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> [T] {
        if let lock = descriptor.lock {
            return try await perform(LockedFetchExecution(descriptor, lock, unit: unit)).result
        }
        return try await perform(FetchExecution(descriptor, unit: unit)).result
    }

    /// The objects of one page, and how many there are on all pages together; blocks this thread.
    ///
    /// One round trip, and one a level of prefetching.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    /// descriptor.fetchLimit = 20
    /// let page = try context.fetchPage(descriptor)
    /// print("1 to \(page.objects.count) of \(page.totalCount)")
    /// ```
    ///
    /// The server counts every object that matches, which takes longer the more there are. Page and count are two statements
    /// of one round trip: a save of somebody else may come between them, unless they are in a transaction that is
    /// `repeatableRead`. Unsaved changes take part as in `fetch`.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchedPage<T> {
        try perform(FetchExecution(descriptor, unit: unit, countsAll: true)).page
    }

    /// What asynchronous callers get as `fetchPage`: see the module Strata.
    package func suspendingFetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> FetchedPage<T>
    {
        try await perform(FetchExecution(descriptor, unit: unit, countsAll: true)).page
    }

    /// The objects that match and can be read, and an error for each row that cannot; blocks this thread.
    ///
    /// One round trip, and one a level of prefetching.
    ///
    /// `fetch` throws when one row holds what its class cannot, such as a text that is no case of an enumeration; other programs
    /// can store that. This call goes around such rows, so that the others can be worked with and these be found:
    ///
    /// ```swift
    /// let trips = try context.fetchReadable(FetchDescriptor<Trip>())
    /// for failure in trips.failures { logger.error("\(failure)") }
    /// ```
    ///
    /// A row that cannot be read counts for the descriptor's limit and offset. Related objects that are prefetched have to
    /// be readable.
    /// - Throws: ``SwiftDataError``, as `fetch`, but not for values and classes of single rows.
    public func fetchReadable<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> ReadableObjects<T> {
        try perform(FetchExecution(descriptor, unit: unit, passesOverUnreadable: true)).readable
    }

    /// What asynchronous callers get as `fetchReadable`: see the module Strata.
    package func suspendingFetchReadable<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> ReadableObjects<T>
    {
        try await perform(FetchExecution(descriptor, unit: unit, passesOverUnreadable: true)).readable
    }

    /// How many objects match, with unsaved changes as in a fetch; blocks this thread. One round trip.
    ///
    /// As many as `fetch` with the same descriptor would return: within its `fetchLimit` and `fetchOffset`. To show how many
    /// there are beside one page, see `fetchPage(_:)`.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        try perform(CountExecution(descriptor, unit: unit)).result
    }

    /// What asynchronous callers get as `fetchCount`: see the module Strata.
    package func suspendingFetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws -> Int {
        try await perform(CountExecution(descriptor, unit: unit)).result
    }

    /// The identifiers of the objects that match, in the descriptor's order; blocks this thread. One round trip.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [PersistentIdentifier]
    {
        try perform(IdentifierExecution(descriptor, unit: unit)).result
    }

    /// What asynchronous callers get as `fetchIdentifiers`: see the module Strata.
    package func suspendingFetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) async throws
        -> [PersistentIdentifier]
    {
        try await perform(IdentifierExecution(descriptor, unit: unit)).result
    }

    /// Loads a relationship (or a path of them) of objects that are in memory: one round trip a level, whatever their
    /// number.
    ///
    /// The asynchronous form of what reading the property would do, one by one fetch, on a blocked thread.
    public func load<T: PersistentModel>(_ models: [T], _ keyPaths: PartialKeyPath<T>...) async throws {
        guard !models.isEmpty else { return }
        let tree = try relationships(keyPaths, of: models)
        try await perform(loading(tree, of: models, in: unit.place(of: T.self).session, "\(T.self)"))
    }

    /// Reads objects again: values that others saved replace those in memory, except in objects with unsaved changes.
    /// Objects that were never saved are passed over.
    ///
    /// - Throws: ``SwiftDataError``; `modelNotFound`, with the identifiers, when rows are gone. All other objects are refreshed
    ///   then, and those without unsaved changes whose rows are gone are deleted (`isDeleted`). An object whose row has become
    ///   one of another class has given way to an object of that class: it is `isDeleted`, and no error.
    public func refresh<T: PersistentModel>(_ models: [T]) async throws {
        let saved = try refreshable(models)
        if !saved.isEmpty { try await perform(RefreshExecution(of: saved, unit: unit)).finish() }
    }

    /// Reads objects again, blocking this thread: values that others saved replace those in memory, except in objects with
    /// unsaved changes. Objects that were never saved are passed over.
    ///
    /// - Throws: ``SwiftDataError``; `modelNotFound`, with the identifiers, when rows are gone. All other objects are refreshed
    ///   then, and those without unsaved changes whose rows are gone are deleted (`isDeleted`). An object whose row has become
    ///   one of another class has given way to an object of that class: it is `isDeleted`, and no error.
    public func refresh<T: PersistentModel>(_ models: [T]) throws {
        let saved = try refreshable(models)
        if !saved.isEmpty { try perform(RefreshExecution(of: saved, unit: unit)).finish() }
    }

    private func refreshable<T: PersistentModel>(_ models: [T]) throws -> [T] {
        try requireOwn(models)
        return models.filter { $0._$state.phase == .registered }
    }

    func requireOwn(_ models: [some PersistentModel]) throws {
        guard let foreign = models.first(where: { $0._$state.context !== unit }) else { return }
        throw SwiftDataError(
            .foreignObject,
            "A \(type(of: foreign)) that does not belong to this context was passed to it. Fetch it here by its "
                + "persistentModelID.", identifiers: [foreign.persistentModelID])
    }
}
