public import StrataModels

extension ModelContext {
    /// Snapshots of objects, with the relationships asked for: values that cross isolation and become JSON.
    ///
    /// What is not in memory is loaded: at most two round trips for each level of relationships, whatever the number of objects.
    /// - Parameters:
    ///   - models: objects of this context.
    ///   - including: relationships whose objects are taken too, with paths as in `relationshipKeyPathsForPrefetching`,
    ///     external storage, and `.hidden` attributes.
    ///   - identifying: relationships of which the identifiers are taken.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `foreignObject`, `storeFailure`.
    public func snapshots<T: PersistentModel>(
        of models: [T], including: PartialKeyPath<T>..., identifying: [PartialKeyPath<T>] = []
    ) async throws -> [ModelSnapshot<T>] {
        try await snapshots(of: models, try SnapshotTree(including: including, identifying: identifying))
    }

    /// Snapshots of objects, with the relationships asked for; blocks this thread. See the asynchronous form.
    public func snapshots<T: PersistentModel>(
        of models: [T], including: PartialKeyPath<T>..., identifying: [PartialKeyPath<T>] = []
    ) throws -> [ModelSnapshot<T>] {
        try snapshots(of: models, try SnapshotTree(including: including, identifying: identifying))
    }

    /// Snapshots with nothing but the attributes and relationships named.
    ///
    /// ```swift
    /// let rows = try await context.snapshots(of: trips, only: \.name, \.destination)
    /// ```
    /// Class and identifier are part of them. A property that was not named reads as one that could not be loaded: its default,
    /// `nil` or empty; ``ModelSnapshot/contains(_:)`` tells. Related objects have all their attributes. What is not in memory
    /// is loaded: at most two round trips for each level of relationships.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `foreignObject`, `storeFailure`.
    public func snapshots<T: PersistentModel>(
        of models: [T], only first: PartialKeyPath<T>, _ others: PartialKeyPath<T>...,
        identifying: [PartialKeyPath<T>] = []
    ) async throws -> [ModelSnapshot<T>] {
        try await snapshots(of: models, try SnapshotTree(only: [first] + others, identifying: identifying))
    }

    /// Snapshots with nothing but the attributes and relationships named; blocks this thread. See the asynchronous form.
    public func snapshots<T: PersistentModel>(
        of models: [T], only first: PartialKeyPath<T>, _ others: PartialKeyPath<T>...,
        identifying: [PartialKeyPath<T>] = []
    ) throws -> [ModelSnapshot<T>] {
        try snapshots(of: models, try SnapshotTree(only: [first] + others, identifying: identifying))
    }

    /// Snapshots of the objects that match, with nothing but the attributes and relationships named; no other columns are read.
    ///
    /// ```swift
    /// let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    /// let rows = try await context.snapshots(of: descriptor, only: \.name, \.destination)
    /// ```
    /// A fetch with these `propertiesToFetch`, then as `snapshots(of:only:)` of its objects: one round trip, and one for each
    /// level of relationships.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func snapshots<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>, only first: PartialKeyPath<T>, _ others: PartialKeyPath<T>...,
        identifying: [PartialKeyPath<T>] = []
    ) async throws -> [ModelSnapshot<T>] {
        let tree = try SnapshotTree(only: [first] + others, identifying: identifying)
        let models = try await suspendingFetch(try partial(descriptor, tree))
        return try await snapshots(of: models, tree)
    }

    /// Snapshots of the objects that match, with nothing but the attributes and relationships named; blocks this thread. See the
    /// asynchronous form.
    public func snapshots<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>, only first: PartialKeyPath<T>, _ others: PartialKeyPath<T>...,
        identifying: [PartialKeyPath<T>] = []
    ) throws -> [ModelSnapshot<T>] {
        let tree = try SnapshotTree(only: [first] + others, identifying: identifying)
        return try snapshots(of: try fetch(try partial(descriptor, tree)), tree)
    }

    // MARK: Steps

    private func snapshots<T: PersistentModel>(of models: [T], _ tree: SnapshotTree) async throws
        -> [ModelSnapshot<T>]
    {
        if !models.isEmpty { try await perform(loading(tree, of: models)) }
        return try models.map { ModelSnapshot(try SnapshotCapture.content(of: $0, tree)) }
    }

    private func snapshots<T: PersistentModel>(of models: [T], _ tree: SnapshotTree) throws -> [ModelSnapshot<T>] {
        if !models.isEmpty { try perform(loading(tree, of: models)) }
        return try models.map { ModelSnapshot(try SnapshotCapture.content(of: $0, tree)) }
    }

    private func loading<T: PersistentModel>(_ tree: SnapshotTree, of models: [T]) throws -> StoreCall<
        SnapshotLoadExecution
    > {
        try requireOwn(models)
        let (session, _) = try unit.place(of: T.self)
        let load = SnapshotLoadExecution([(tree, models)], session: session)
        return StoreCall(load, in: session, for: "load snapshots of \(T.self)")
    }

    /// A fetch of the columns that a tree takes, and no others.
    private func partial<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ tree: SnapshotTree) throws
        -> FetchDescriptor<T>
    {
        let (_, entity) = try unit.place(of: T.self)
        var descriptor = descriptor
        descriptor.propertiesToFetch = T._$descriptor.properties.compactMap { property in
            let isTaken = tree.named.contains(property.slot) || tree.relationships.contains(property.slot)
            guard isTaken, entity.queriedColumn(property.slot) != nil else { return nil }
            return property.keyPath as? PartialKeyPath<T>
        }
        return descriptor
    }
}

extension PersistentModel {
    /// The values of this object, with the relationships asked for; blocks this thread for what is not in memory.
    ///
    /// ```swift
    /// let snapshot = try trip.snapshot(including: \.bucketList, identifying: [\.livingAccommodation])
    /// ```
    /// Where waiting is possible, use a context's `snapshots(of:including:)`.
    /// - Parameters:
    ///   - including: relationships whose objects are taken too, with paths as in `relationshipKeyPathsForPrefetching`,
    ///     external storage, and `.hidden` attributes.
    ///   - identifying: relationships of which the identifiers are taken.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `unfulfilledFault` for what could not be loaded.
    public func snapshot(including: PartialKeyPath<Self>..., identifying: [PartialKeyPath<Self>] = []) throws
        -> ModelSnapshot<Self>
    {
        let tree = try SnapshotTree(including: including, identifying: identifying)
        return ModelSnapshot(try SnapshotCapture.content(of: self, tree))
    }

    /// A snapshot with nothing but the attributes and relationships named; blocks this thread for what is not in memory.
    ///
    /// Where waiting is possible, use a context's `snapshots(of:only:)`.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `unfulfilledFault` for what could not be loaded.
    public func snapshot(
        only first: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>..., identifying: [PartialKeyPath<Self>] = []
    ) throws -> ModelSnapshot<Self> {
        let tree = try SnapshotTree(only: [first] + others, identifying: identifying)
        return ModelSnapshot(try SnapshotCapture.content(of: self, tree))
    }
}
