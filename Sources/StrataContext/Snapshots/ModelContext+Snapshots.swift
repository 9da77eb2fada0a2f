public import StrataModels

extension ModelContext {
    /// Snapshots of objects, with the relationships asked for: values that cross isolation and become JSON.
    ///
    /// What is not in memory is loaded: at most two round trips for each level of relationships, whatever the number of objects.
    /// - Parameters:
    ///   - models: objects of this context.
    ///   - including: relationships whose objects are taken too, with paths as in `relationshipKeyPathsForPrefetching`, and
    ///     external storage.
    ///   - identifying: relationships of which the identifiers are taken.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `foreignObject`, `storeFailure`.
    public func snapshots<T: PersistentModel>(
        of models: [T], including: PartialKeyPath<T>..., identifying: [PartialKeyPath<T>] = []
    ) async throws -> [ModelSnapshot<T>] {
        let tree = try SnapshotTree(including: including, identifying: identifying)
        if !models.isEmpty {
            try requireOwn(models)
            let (session, _) = try unit.place(of: T.self)
            try await readingWhatIsSaved {
                var execution = SnapshotLoadExecution([(tree, models)], session: session)
                try await perform(&execution, in: session, for: "load snapshots of \(T.self)")
            }
        }
        return try models.map { ModelSnapshot(try SnapshotCapture.content(of: $0, tree)) }
    }

    /// Snapshots of objects, with the relationships asked for; blocks this thread. See the asynchronous form.
    public func snapshots<T: PersistentModel>(
        of models: [T], including: PartialKeyPath<T>..., identifying: [PartialKeyPath<T>] = []
    ) throws -> [ModelSnapshot<T>] {
        let tree = try SnapshotTree(including: including, identifying: identifying)
        if !models.isEmpty {
            try requireOwn(models)
            let (session, _) = try unit.place(of: T.self)
            var execution = SnapshotLoadExecution([(tree, models)], session: session)
            try perform(&execution, in: session, for: "load snapshots of \(T.self)")
        }
        return try models.map { ModelSnapshot(try SnapshotCapture.content(of: $0, tree)) }
    }

    /// Gives an object of this context the values that a snapshot has; what the snapshot leaves out stays.
    ///
    /// Attributes that are equal already stay clean. A relationship that the snapshot includes is replaced: objects with an
    /// identifier are fetched and get their values too, objects without one are made, and those that are no longer named leave
    /// the relationship (they are not deleted). Nothing is written before `save()`. Costs at most three round trips: the
    /// objects that are named, then the relationships that are not in memory.
    /// - Throws: ``SwiftDataError``, before anything is changed: `invalidValue` for a snapshot of another class or without a
    ///   value that a new object needs, `modelNotFound` for an object that is gone, `foreignObject`, `storeFailure`.
    public func apply<T: PersistentModel>(_ snapshot: ModelSnapshot<T>, to model: T) async throws {
        try requireOwn([model])
        _ = try await carryOut(try SnapshotApplication(snapshot.content, to: model, unit: unit))
    }

    /// Gives an object of this context the values that a snapshot has; blocks this thread. See the asynchronous form.
    public func apply<T: PersistentModel>(_ snapshot: ModelSnapshot<T>, to model: T) throws {
        try requireOwn([model])
        _ = try carryOut(try SnapshotApplication(snapshot.content, to: model, unit: unit))
    }

    /// Finds the object that a snapshot names, and gives it the snapshot's values, as `apply(_:to:)` does.
    ///
    /// - Throws: as `apply`; `invalidIdentifier` for a snapshot that names no object.
    @discardableResult
    public func update<T: PersistentModel>(from snapshot: ModelSnapshot<T>) async throws -> T {
        let identifier = try identifier(of: snapshot)
        let model = try typed(try await suspendingModel(for: identifier), snapshot)
        try await apply(snapshot, to: model)
        return model
    }

    /// Finds the object that a snapshot names, and gives it the snapshot's values; blocks this thread.
    @discardableResult
    public func update<T: PersistentModel>(from snapshot: ModelSnapshot<T>) throws -> T {
        let identifier = try identifier(of: snapshot)
        let model = try typed(try blockingModel(for: identifier), snapshot)
        try apply(snapshot, to: model)
        return model
    }

    /// Makes a new object of the snapshot's class with its values, and inserts it. Its own identifier is not used.
    ///
    /// Objects within that have an identifier are the existing ones, and get their values; those without are new too.
    /// - Throws: as `apply`.
    @discardableResult
    public func insert<T: PersistentModel>(_ snapshot: ModelSnapshot<T>) async throws -> T {
        try inserted(try await carryOut(try SnapshotApplication(snapshot.content, to: nil, unit: unit)), snapshot)
    }

    /// Makes a new object of the snapshot's class with its values, and inserts it; blocks this thread.
    @discardableResult
    public func insert<T: PersistentModel>(_ snapshot: ModelSnapshot<T>) throws -> T {
        try inserted(try carryOut(try SnapshotApplication(snapshot.content, to: nil, unit: unit)), snapshot)
    }

    // MARK: Steps

    private func carryOut(_ application: SnapshotApplication) async throws -> any PersistentModel {
        for var fetch in try application.fetches() {
            try await perform(&fetch, in: fetch.session, for: "fetch what a snapshot names")
            application.take(fetch.result)
        }
        for (session, var load) in try application.loads() {
            try await perform(&load, in: session, for: "load what a snapshot sets")
        }
        return try application.apply()
    }

    private func carryOut(_ application: SnapshotApplication) throws -> any PersistentModel {
        for var fetch in try application.fetches() {
            try perform(&fetch, in: fetch.session, for: "fetch what a snapshot names")
            application.take(fetch.result)
        }
        for (session, var load) in try application.loads() {
            try perform(&load, in: session, for: "load what a snapshot sets")
        }
        return try application.apply()
    }

    private func identifier(of snapshot: ModelSnapshot<some PersistentModel>) throws -> PersistentIdentifier {
        guard let identifier = snapshot.persistentModelID else {
            throw SwiftDataError(
                .invalidIdentifier,
                "The snapshot of a \(snapshot.entityName) names no object. Set its persistentModelID, or insert it.")
        }
        return identifier
    }

    private func typed<T: PersistentModel>(_ model: any PersistentModel, _ snapshot: ModelSnapshot<T>) throws -> T {
        if let model = model as? T { return model }
        throw SwiftDataError(
            .invalidValue,
            "A snapshot of a \(snapshot.entityName) cannot be applied to a \(type(of: model)): an object keeps its class.",
            identifiers: [model.persistentModelID])
    }

    private func inserted<T: PersistentModel>(_ model: any PersistentModel, _ snapshot: ModelSnapshot<T>) throws -> T {
        let model = try typed(model, snapshot)
        insert(model)
        return model
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
    ///   - including: relationships whose objects are taken too, with paths as in `relationshipKeyPathsForPrefetching`, and
    ///     external storage.
    ///   - identifying: relationships of which the identifiers are taken.
    /// - Throws: ``SwiftDataError``: `unsupportedKeyPath`, `unfulfilledFault` for what could not be loaded.
    public func snapshot(including: PartialKeyPath<Self>..., identifying: [PartialKeyPath<Self>] = []) throws
        -> ModelSnapshot<Self>
    {
        let tree = try SnapshotTree(including: including, identifying: identifying)
        return ModelSnapshot(try SnapshotCapture.content(of: self, tree))
    }
}
