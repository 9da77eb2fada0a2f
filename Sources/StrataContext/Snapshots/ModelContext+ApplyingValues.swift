public import StrataModels

/// The way back from snapshots and patches. Each call says what it may write.
extension ModelContext {
    /// Gives an object of this context the values that a snapshot or a patch has, as far as they are allowed.
    ///
    /// ```swift
    /// try await context.apply(patch, to: trip, allowing: \.name, \.destination)
    /// ```
    /// What it leaves out stays, and attributes that are equal already stay clean. A relationship is replaced by the objects that
    /// are named, which must exist; those that are no longer named leave the relationship (they are not deleted). Nothing is
    /// written before `save()`. Costs at most three round trips: the objects that are named, then the relationships that are
    /// not in memory.
    /// - Parameters:
    ///   - first: the first of the properties that may be written, `private(set)` and `.hidden` ones too.
    ///   - more: the others.
    ///   - otherKeys: what becomes of keys that may not be written, or are no properties.
    /// - Throws: ``SwiftDataError``, before anything is changed: `refusedPatch` with the keys that are not allowed,
    ///   `invalidValue` for values of another class or without one that a new object needs, `modelNotFound` for an object that
    ///   is gone, `foreignObject`, `unsupportedKeyPath`, `storeFailure`.
    public func apply<Values: ModelValues>(
        _ values: Values, to model: Values.Model, allowing first: PartialKeyPath<Values.Model>,
        _ more: PartialKeyPath<Values.Model>..., otherKeys: OtherKeys = .refused
    ) async throws {
        try await apply(values, to: model, allowing: WritableProperties([first] + more), otherKeys: otherKeys)
    }

    /// Gives an object of this context the values that a snapshot or a patch has, as far as they are allowed; blocks this thread.
    /// See the asynchronous form.
    public func apply<Values: ModelValues>(
        _ values: Values, to model: Values.Model, allowing first: PartialKeyPath<Values.Model>,
        _ more: PartialKeyPath<Values.Model>..., otherKeys: OtherKeys = .refused
    ) throws {
        try apply(values, to: model, allowing: WritableProperties([first] + more), otherKeys: otherKeys)
    }

    /// Gives an object of this context the values that a snapshot or a patch has, as far as they are allowed, also in related
    /// objects.
    ///
    /// ```swift
    /// try await context.apply(
    ///     patch, to: trip,
    ///     allowing: .only(\.name, \.bucketList).related(at: \.bucketList, .only(\.title), creating: true))
    /// try await context.apply(snapshot, to: trip, allowing: .everything)
    /// ```
    /// With `.everything`, objects with an identifier are fetched and get their values too, and those without one are made.
    /// Otherwise as the form with key paths.
    public func apply<Values: ModelValues>(
        _ values: Values, to model: Values.Model, allowing allowed: WritableProperties<Values.Model>,
        otherKeys: OtherKeys = .refused
    ) async throws {
        try requireOwn([model])
        _ = try await carryOut(try SnapshotApplication(values.patch, to: model, allowed, otherKeys, unit: unit))
    }

    /// Gives an object of this context the values that a snapshot or a patch has, as far as they are allowed, also in related
    /// objects; blocks this thread. See the asynchronous form.
    public func apply<Values: ModelValues>(
        _ values: Values, to model: Values.Model, allowing allowed: WritableProperties<Values.Model>,
        otherKeys: OtherKeys = .refused
    ) throws {
        try requireOwn([model])
        _ = try carryOut(try SnapshotApplication(values.patch, to: model, allowed, otherKeys, unit: unit))
    }

    /// Finds the object that a snapshot or a patch names, and gives it the values, as `apply(_:to:allowing:)` does.
    ///
    /// - Throws: as `apply`; `invalidIdentifier` for values that name no object.
    @discardableResult
    public func update<Values: ModelValues>(
        from values: Values, allowing allowed: WritableProperties<Values.Model>, otherKeys: OtherKeys = .refused
    ) async throws -> Values.Model {
        let patch = values.patch
        let model = try typed(try await suspendingModel(for: try identifier(of: patch)), patch)
        try await apply(patch, to: model, allowing: allowed, otherKeys: otherKeys)
        return model
    }

    /// Finds the object that a snapshot or a patch names, and gives it the values; blocks this thread.
    @discardableResult
    public func update<Values: ModelValues>(
        from values: Values, allowing allowed: WritableProperties<Values.Model>, otherKeys: OtherKeys = .refused
    ) throws -> Values.Model {
        let patch = values.patch
        let model = try typed(try blockingModel(for: try identifier(of: patch)), patch)
        try apply(patch, to: model, allowing: allowed, otherKeys: otherKeys)
        return model
    }

    /// Makes a new object with the values of a snapshot or a patch, as far as they are allowed, and inserts it.
    ///
    /// ```swift
    /// let trip = try await context.insert(patch, allowing: \.name, \.destination, \.startDate, \.endDate)
    /// ```
    /// - Throws: as `apply`; `invalidValue` also where a property is missing that is neither optional nor has a default.
    @discardableResult
    public func insert<Values: ModelValues>(
        _ values: Values, allowing first: PartialKeyPath<Values.Model>, _ more: PartialKeyPath<Values.Model>...,
        otherKeys: OtherKeys = .refused
    ) async throws -> Values.Model {
        try await insert(values, allowing: WritableProperties([first] + more), otherKeys: otherKeys)
    }

    /// Makes a new object with the values of a snapshot or a patch, as far as they are allowed, and inserts it; blocks this thread.
    /// See the asynchronous form.
    @discardableResult
    public func insert<Values: ModelValues>(
        _ values: Values, allowing first: PartialKeyPath<Values.Model>, _ more: PartialKeyPath<Values.Model>...,
        otherKeys: OtherKeys = .refused
    ) throws -> Values.Model {
        try insert(values, allowing: WritableProperties([first] + more), otherKeys: otherKeys)
    }

    /// Makes a new object with the values of a snapshot or a patch, as far as they are allowed, and inserts it.
    ///
    /// With `.everything` it is an object of the class that the values name, objects within that have an identifier are the
    /// existing ones, and get their values, and those without are new too. Its own identifier is not used.
    /// - Throws: as `apply`; `invalidValue` also where a property is missing that is neither optional nor has a default.
    @discardableResult
    public func insert<Values: ModelValues>(
        _ values: Values, allowing allowed: WritableProperties<Values.Model>, otherKeys: OtherKeys = .refused
    ) async throws -> Values.Model {
        let patch = values.patch
        let made = try await carryOut(try SnapshotApplication(patch, to: nil, allowed, otherKeys, unit: unit))
        return try inserted(made, patch)
    }

    /// Makes a new object with the values of a snapshot or a patch, as far as they are allowed, and inserts it; blocks this thread.
    /// See the asynchronous form.
    @discardableResult
    public func insert<Values: ModelValues>(
        _ values: Values, allowing allowed: WritableProperties<Values.Model>, otherKeys: OtherKeys = .refused
    ) throws -> Values.Model {
        let patch = values.patch
        let made = try carryOut(try SnapshotApplication(patch, to: nil, allowed, otherKeys, unit: unit))
        return try inserted(made, patch)
    }

    // MARK: Steps

    private func carryOut(_ application: SnapshotApplication) async throws -> any PersistentModel {
        try await performAll(application.fetchCalls())
        try await performAll(application.loadCalls())
        return try application.apply()
    }

    private func carryOut(_ application: SnapshotApplication) throws -> any PersistentModel {
        try performAll(application.fetchCalls())
        try performAll(application.loadCalls())
        return try application.apply()
    }

    private func identifier(of patch: ModelPatch<some PersistentModel>) throws -> PersistentIdentifier {
        guard let identifier = patch.persistentModelID else {
            throw SwiftDataError(
                .invalidIdentifier,
                "The values of a \(patch.entityName) name no object. Set the persistentModelID, or insert them.")
        }
        return identifier
    }

    private func typed<T: PersistentModel>(_ model: any PersistentModel, _ patch: ModelPatch<T>) throws -> T {
        if let model = model as? T { return model }
        throw SwiftDataError(
            .invalidValue,
            "Values of a \(patch.entityName) cannot be applied to a \(type(of: model)): an object keeps its class.",
            identifiers: [model.persistentModelID])
    }

    private func inserted<T: PersistentModel>(_ model: any PersistentModel, _ patch: ModelPatch<T>) throws -> T {
        let model = try typed(model, patch)
        insert(model)
        return model
    }
}

/// The forms that wrote everything without saying so.
extension ModelContext {
    /// Say what may be written: `apply(_:to:allowing:)`.
    @available(*, unavailable, message: "say what may be written: allowing: \\.name, \\.date, or .everything")
    public func apply<Values: ModelValues>(_ values: Values, to model: Values.Model) {}

    /// Say what may be written: `update(from:allowing:)`.
    @available(*, unavailable, message: "say what may be written: allowing: .only(\\.name, \\.date), or .everything")
    public func update<Values: ModelValues>(from values: Values) -> Values.Model { fatalError("unavailable") }

    /// Say what may be written: `insert(_:allowing:)`.
    @available(*, unavailable, message: "say what may be written: allowing: \\.name, \\.date, or .everything")
    public func insert<Values: ModelValues>(_ values: Values) -> Values.Model { fatalError("unavailable") }
}
