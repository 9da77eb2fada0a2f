/// What the accessors of a relationship call.
extension ModelState {
    // MARK: To-one

    /// The object a to-one relationship points at; loads it (for all siblings of the same fetch) when it is not in
    /// memory.
    public func get<M: PersistentModel, D: PersistentModel>(
        _ relationship: ToOne<D>, at slot: Int, of model: M, _ keyPath: KeyPath<M, D?>
    ) -> D? {
        access(model, keyPath)
        return resolve(relationship.held.reference, D.self, at: slot, of: model)
    }

    /// The object a required to-one relationship points at; loads it (for all siblings of the same fetch) when it is
    /// not in memory.
    ///
    /// When that fails, an object without values stands in, and the next `save()` throws.
    public func get<M: PersistentModel, D: PersistentModel>(
        _ relationship: RequiredToOne<D>, at slot: Int, of model: M, _ keyPath: KeyPath<M, D>
    ) -> D {
        access(model, keyPath)
        if let object = resolve(relationship.held.reference, D.self, at: slot, of: model) { return object }
        // A getter cannot throw. The context has noted the failure and will not save; this object stands in, belongs to
        // no context and has no values.
        let property = type(of: model)._$descriptor.properties[slot]
        context?.noteUnfulfilled(property, of: model)
        return withUnloadedRow(D._$descriptor) { D(_$decoding: &$0) }
    }

    private func resolve<D: PersistentModel>(
        _ reference: Reference, _: D.Type, at slot: Int, of model: any PersistentModel
    ) -> D? {
        switch reference {
        case .object(let object): return object as? D
        case .none: return nil
        case .key(let key):
            if let object = context?.registered(key: key, root: D._$descriptor.root) { return object as? D }
        case .unloaded: break
        }
        guard let context else {
            // Either it was never inserted, and nothing was set; or its context is gone, and that is reported.
            OrphanReads.note(type(of: model)._$descriptor.properties[slot], of: self)
            return nil
        }
        guard let property = type(of: model)._$descriptor.relationship(at: slot)
        else { return nil }
        context.loadRelationship(property, of: model)
        switch property.reference(of: model) {
        case .object(let object): return object as? D
        case .key(let key): return context.registered(key: key, root: D._$descriptor.root) as? D
        case .none: return nil
        case .unloaded:
            context.noteUnfulfilled(property, of: model)
            return nil
        }
    }

    /// Points a to-one relationship at another object, or at none, and keeps the other side in step. No I/O, but where
    /// the object that is taken over must be parted from a partner that is not loaded.
    public func set<M: PersistentModel, D: PersistentModel>(
        _ value: D?, at slot: Int, current: ToOne<D>, of model: M, _ keyPath: KeyPath<M, D?>,
        _ write: (M, ToOne<D>) -> Void
    ) {
        edit(slot, of: model) { RelationshipEdit.assign(value, to: $0, of: model) }
    }

    /// Points a required to-one relationship at another object and keeps the other side in step.
    public func set<M: PersistentModel, D: PersistentModel>(
        _ value: D, at slot: Int, current: RequiredToOne<D>, of model: M, _ keyPath: KeyPath<M, D>,
        _ write: (M, RequiredToOne<D>) -> Void
    ) {
        edit(slot, of: model) { RelationshipEdit.assign(value, to: $0, of: model) }
    }

    // MARK: To-many

    /// The objects of a to-many relationship in the order of their keys, or in that of the array where the relationship is
    /// `.ordered`; loads them (for all siblings of the same
    /// fetch) when they are not in memory.
    public func get<M: PersistentModel, D: PersistentModel>(
        _ relationship: ToMany<D>, at slot: Int, of model: M, _ keyPath: KeyPath<M, [D]>
    ) -> [D] {
        access(model, keyPath)
        if !relationship.members.hasGaps, let objects = relationship.objects { return objects }
        return loadObjects(D.self, at: slot, of: model)
    }

    /// The objects of a to-many relationship declared optional, as for one that is not; empty, never `nil`, without
    /// rows.
    public func get<M: PersistentModel, D: PersistentModel>(
        _ relationship: OptionalToMany<D>, at slot: Int, of model: M, _ keyPath: KeyPath<M, [D]?>
    ) -> [D]? {
        access(model, keyPath)
        if !relationship.members.hasGaps, let objects = relationship.objects { return objects }
        return loadObjects(D.self, at: slot, of: model)
    }

    private func loadObjects<D: PersistentModel>(_: D.Type, at slot: Int, of model: any PersistentModel) -> [D] {
        guard let property = type(of: model)._$descriptor.relationship(at: slot) else { return [] }
        if !property.isLoaded(in: model) { context?.loadRelationship(property, of: model) }
        guard let objects = property.loadedMembers(of: model) else {
            context?.noteUnfulfilled(property, of: model)
            OrphanReads.note(property, of: self)
            return []
        }
        // As in ``Members``: all are of this class.
        return unsafeBitCast(objects, to: [D].self)
    }

    /// The objects of a to-many relationship for an edit in place, such as `append`, whose result is then assigned: from the
    /// second edit on in an array that is not copied for it.
    public func valueToEdit<M: PersistentModel, D: PersistentModel>(
        _ relationship: @autoclosure () -> ToMany<D>, at slot: Int, of model: M, _ keyPath: KeyPath<M, [D]>
    ) -> [D] {
        guard let spare: [D] = spare(at: slot, of: model) else {
            return get(relationship(), at: slot, of: model, keyPath)
        }
        access(model, keyPath)
        return spare
    }

    /// The objects of a to-many relationship declared optional for an edit in place, as for one that is not.
    public func valueToEdit<M: PersistentModel, D: PersistentModel>(
        _ relationship: @autoclosure () -> OptionalToMany<D>, at slot: Int, of model: M, _ keyPath: KeyPath<M, [D]?>
    ) -> [D]? {
        guard let spare: [D] = spare(at: slot, of: model) else {
            return get(relationship(), at: slot, of: model, keyPath)
        }
        access(model, keyPath)
        return spare
    }

    private func spare<D: PersistentModel>(at slot: Int, of model: any PersistentModel) -> [D]? {
        let objects = type(of: model)._$descriptor.relationship(at: slot)?.takeSpare(of: model)
        // As in ``Members``: all are of this class.
        return objects.map { unsafeBitCast($0, to: [D].self) }
    }

    /// Replaces the objects of a to-many relationship (each once) and keeps the other sides in step; loads them first
    /// when they are not in memory.
    public func setArray<M: PersistentModel, D: PersistentModel>(
        _ value: [D], at slot: Int, current: @autoclosure () -> ToMany<D>, of model: M, _ keyPath: KeyPath<M, [D]>,
        _ write: (M, ToMany<D>) -> Void
    ) {
        edit(slot, of: model) { RelationshipEdit.assign(plain(value), to: $0, of: model) }
    }

    /// Replaces the objects of a to-many relationship declared optional, as for one that is not; `nil` empties it.
    public func setArray<M: PersistentModel, D: PersistentModel>(
        _ value: [D]?, at slot: Int, current: @autoclosure () -> OptionalToMany<D>, of model: M,
        _ keyPath: KeyPath<M, [D]?>,
        _ write: (M, OptionalToMany<D>) -> Void
    ) {
        edit(slot, of: model) { RelationshipEdit.assign(plain(value ?? []), to: $0, of: model) }
    }

    private func edit(_ slot: Int, of model: any PersistentModel, _ body: (RelationshipProperty) -> Void) {
        guard let property = type(of: model)._$descriptor.relationship(at: slot) else { return }
        body(property)
    }
}

/// The compiler's conversion would look at the class of each object; an array of objects is laid out alike whatever their class.
private func plain<D: PersistentModel>(_ objects: [D]) -> [AnyObject] {
    unsafeBitCast(objects, to: [AnyObject].self)
}

/// Calls `body` with a reader that leaves every property unloaded.
package func withUnloadedRow<Result>(_ descriptor: ModelDescriptor, _ body: (inout RowReader) -> Result) -> Result {
    let count = max(descriptor.properties.count, 1)
    let columns = UnsafeMutablePointer<Int16>.allocate(capacity: count)
    columns.initialize(repeating: -1, count: count)
    defer { columns.deallocate() }
    var reader = RowReader(unloaded: columns)
    return body(&reader)
}

/// Calls `body` with a reader that marks these slots as not loaded and leaves all others as they are.
package func withForgetfulRow(_ descriptor: ModelDescriptor, _ slots: SlotSet, _ body: (inout RowReader) -> Void) {
    let columns = descriptor.properties.indices.map { slots.contains($0) ? RowReader.forgotten : -1 }
    columns.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        var reader = RowReader(unloaded: base, isNew: false)
        body(&reader)
    }
}
