public import StrataModels
import StrataRepository

extension ModelContainer {
    /// The transactions of the history from a place on, those to come among them, whoever makes them.
    ///
    /// Other processes' commits arrive within milliseconds where the server can say so (`LISTEN`), else when the container
    /// looks: ``ModelConfiguration/historyPollInterval``. Nothing is missed and nothing comes twice, also across lost
    /// connections. All observers of a process share one connection and their fetches; one that is slow is waited for by
    /// nobody.
    ///
    /// ```swift
    /// for try await transaction in container.history(after: lastToken, of: Trip.self) {
    ///     …
    ///     lastToken = transaction.token
    /// }
    /// ```
    /// The sequence ends when the container is closed, and throws `CancellationError` when the task is cancelled. A class
    /// whose history is not recorded is an error.
    /// - Parameters:
    ///   - token: where to begin; `nil` for what is committed from the first `next()` on,
    ///     ``DefaultHistoryToken/beginning`` for the oldest there is.
    ///   - types: only transactions that changed objects of these classes or their subclasses; all without. They come with
    ///     all their changes.
    ///   - authors: only transactions of these authors.
    ///   - origin: whether transactions of this container or others are wanted.
    public func history(
        after token: DefaultHistoryToken? = nil, of types: any PersistentModel.Type..., authors: [String]? = nil,
        origin: HistoryOrigin = .all
    ) -> HistorySequence {
        HistorySequence(
            container: self, start: token,
            filter: HistoryFilter(
                entities: types.isEmpty ? nil : entityNames(of: types), authors: authors.map { Set($0) },
                origin: origin, process: processIdentifier),
            refusal: refusal(toObserve: types))
    }

    /// The objects that match, and again whenever a commit by anybody may have changed that.
    ///
    /// ```swift
    /// let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    /// for try await trips in container.results(of: descriptor) {
    ///     show(trips.map(\.name))
    /// }
    /// ```
    /// Every result is complete, of one moment, and in a context of its own (`modelContext` of its objects): the objects of
    /// earlier results keep their values. Changes that cannot concern the result wake nobody: what counts is predicate,
    /// order, limit, the objects of the result and the relationships in `relationshipKeyPathsForPrefetching`. Relationships
    /// that are only read afterwards do not count. Commits within 25 ms make one result.
    ///
    /// The sequence ends when the container is closed. When history was deleted or the store was restored meanwhile, the
    /// next result is simply fetched. Throws what `fetch` throws, `CancellationError`, and `unsupportedFeature` when the result
    /// depends on a class whose history is not recorded.
    ///
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - settings: those of the contexts that fetch, for row-level security (``ModelContext/settings``). Their role has to be allowed to
    ///     read the library's schema. What wakes is the history of all: a result may come again that is no other.
    public func results<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>, settings: [String: String] = [:]
    ) -> ResultSequence<T> {
        ResultSequence(container: self, descriptor: descriptor, settings: settings)
    }

    /// The names of classes and of all their subclasses.
    func entityNames(of types: [any PersistentModel.Type]) -> Set<String> {
        Set(
            stores.flatMap(\.mapping.entities).filter { entity in
                types.contains { entity.descriptor.inherits(from: $0._$descriptor) }
            }.map(\.name))
    }

    /// Why nobody could ever be told of changes of these classes; `nil` for classes whose history is recorded.
    func refusal(toObserve types: [any PersistentModel.Type]) -> SwiftDataError? {
        if let refusalOfHistory { return refusalOfHistory }
        let names = entityNames(of: types)
        return stores.lazy.compactMap { $0.mapping.refusal(toObserve: names) }.first
    }
}

extension StoreMapping {
    /// The error for classes whose history is not recorded: whoever waited for changes of them would wait for ever.
    func refusal(toObserve names: Set<String>) -> SwiftDataError? {
        let silent = entities.filter { names.contains($0.name) && !$0.entity.recordsHistory }.map(\.name).sorted()
        guard let first = silent.first else { return nil }
        if entity(named: first)?.isView == true {
            return SwiftDataError(
                .unsupportedFeature,
                "Changes of \(silent.joined(separator: ", ")) cannot be observed: objects of \(first) are rows of a view (DatabaseView). "
                    + "Observe the classes that it reads, and fetch when they change.")
        }
        return SwiftDataError(
            .unsupportedFeature,
            "Changes of \(silent.joined(separator: ", ")) cannot be observed: the history of \(first) is not recorded (static let "
                + "recordsHistory = false). Remove that, or fetch when you need to know.")
    }
}
