import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// The objects that match, read in batches when they are asked for; blocks this thread. One round trip now, and one a
    /// batch later (and one a level of prefetching).
    ///
    /// Unsaved changes take part, as in every fetch; `propertiesToFetch` has no effect. In asynchronous functions
    /// `enumerate` is better: reading an element blocks the thread.
    /// - Throws: ``SwiftDataError``; `unsupportedPredicate` and `unsupportedKeyPath` before anything is sent.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws
        -> FetchResultsCollection<T>
    {
        try check(batchSize)
        return try collection(of: fetchIdentifiers(descriptor), descriptor, batchSize)
    }

    /// What asynchronous callers get as `fetch`: see the module Strata.
    package func suspendingFetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) async throws
        -> FetchResultsCollection<T>
    {
        try check(batchSize)
        return try collection(of: await suspendingFetchIdentifiers(descriptor), descriptor, batchSize)
    }

    /// The identifiers of the objects that match, in the descriptor's order; blocks this thread. One round trip.
    ///
    /// Identifiers are small: all are read at once, whatever the size of a batch.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws
        -> FetchResultsCollection<PersistentIdentifier>
    {
        try check(batchSize)
        return collection(of: try fetchIdentifiers(descriptor), batchSize)
    }

    /// What asynchronous callers get as `fetchIdentifiers`: see the module Strata.
    package func suspendingFetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int)
        async throws
        -> FetchResultsCollection<PersistentIdentifier>
    {
        try check(batchSize)
        return collection(of: try await suspendingFetchIdentifiers(descriptor), batchSize)
    }

    private func check(_ batchSize: Int) throws {
        guard batchSize > 0 else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A batch has at least one object; batchSize is \(batchSize). Pass a positive number.")
        }
    }

    private func collection(of identifiers: [PersistentIdentifier], _ batchSize: Int)
        -> FetchResultsCollection<PersistentIdentifier>
    {
        FetchResultsCollection(
            FetchBatches(count: identifiers.count, size: batchSize) { Array(identifiers[$0]) })
    }

    private func collection<T: PersistentModel>(
        of identifiers: [PersistentIdentifier], _ descriptor: FetchDescriptor<T>, _ batchSize: Int
    ) throws -> FetchResultsCollection<T> {
        let (session, _) = try unit.place(of: T.self)
        let tree = try PrefetchTree(descriptor.prefetchedKeyPaths, mapping: session.store.mapping)
        return FetchResultsCollection(
            FetchBatches(count: identifiers.count, size: batchSize) { positions in
                self.batch(identifiers[positions], tree, session)
            })
    }

    /// The objects with these identifiers, in their order. A getter cannot throw, so what fails is noted.
    private func batch<T: PersistentModel>(
        _ identifiers: ArraySlice<PersistentIdentifier>, _ tree: PrefetchTree, _ session: StoreSession
    ) -> [T] {
        var byKey: [RowKey: T] = [:]
        do {
            let fetch = try perform(
                StoreCall(
                    KeyedFetchExecution(T.self, keys: identifiers.map(\.key), unit: unit), in: session,
                    for: "fetch a batch of \(T.self)"))
            let models = fetch.operation.result.compactMap { $0 as? T }
            for model in models { byKey[model._$state.key] = model }
            if !tree.branches.isEmpty, !models.isEmpty {
                try perform(
                    StoreCall(
                        PrefetchExecution(tree, of: models, session: session), in: session,
                        for: "load relationships of \(T.self)"))
            }
        } catch {
            unit.report(
                (error as? SwiftDataError)
                    ?? SwiftDataError(.storeFailure, "A batch of \(T.self) was not read: \(error)"))
        }
        return identifiers.map { byKey[$0.key] ?? registeredModel(for: $0) ?? standIn(for: $0) }
    }

    private func standIn<T: PersistentModel>(for identifier: PersistentIdentifier) -> T {
        unit.report(
            SwiftDataError(
                .modelNotFound,
                "A \(T.self) of a fetch in batches is not there any more: it was deleted after the fetch. Fetch again.",
                identifiers: [identifier]))
        return withUnloadedRow(T._$descriptor) { T(_$decoding: &$0) }
    }
}
