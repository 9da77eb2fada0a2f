/// What the accessors of an attribute call.
extension ModelState {
    /// The value of an attribute; loads it (for all siblings of the same fetch) when it was not fetched.
    public func get<M: PersistentModel, C: AttributeCoding>(
        _ attribute: AttributeStorage<C>, at slot: Int, of model: M, _ keyPath: KeyPath<M, C.Value>
    ) -> C.Value {
        access(model, keyPath)
        if let value = attribute.stored { return value }
        return load(C.self, at: slot, of: model)
    }

    /// The value of an attribute for an edit in place, whose result is then assigned.
    public func valueToEdit<M: PersistentModel, C: AttributeCoding>(
        _ attribute: AttributeStorage<C>, at slot: Int, of model: M, _ keyPath: KeyPath<M, C.Value>
    ) -> C.Value {
        get(attribute, at: slot, of: model, keyPath)
    }

    /// Writes an attribute: keeps the value it had, tells the context once, notifies Observation.
    public func set<M: PersistentModel, C: AttributeCoding>(
        _ value: C.Value, at slot: Int, current: AttributeStorage<C>, of model: M, _ keyPath: KeyPath<M, C.Value>,
        _ write: (M, AttributeStorage<C>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes an attribute whose type is written as an array, as to-many relationships are.
    public func setArray<M: PersistentModel, C: AttributeCoding>(
        _ value: C.Value, at slot: Int, current: AttributeStorage<C>, of model: M, _ keyPath: KeyPath<M, C.Value>,
        _ write: (M, AttributeStorage<C>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    @inline(__always)
    func assign<M: PersistentModel, C: AttributeCoding>(
        _ value: C.Value, at slot: Int, current: AttributeStorage<C>, of model: M, _ keyPath: KeyPath<M, C.Value>,
        _ write: (M, AttributeStorage<C>) -> Void
    ) {
        recordChange(slot, from: current)
        let storage = AttributeStorage<C>(value)
        // Not through a closure where nobody observes: what C is made of would be looked up for it.
        guard isObserved else { return write(model, storage) }
        mutate(model, keyPath) { write(model, storage) }
    }

    /// Knows nothing of the class of the object, so that there is a form of it for each type that has a setter of its own.
    private func recordChange<C: AttributeCoding>(_ slot: Int, from current: AttributeStorage<C>) {
        recordChange(slot, original: OriginalAttribute(current))
    }

    private func load<M: PersistentModel, C: AttributeCoding>(_: C.Type, at slot: Int, of model: M) -> C.Value {
        let property = type(of: model)._$descriptor.properties[slot]
        if let context {
            context.loadAttribute(property, of: model)
        }
        let attribute = property as? AnyAttributeProperty
        if let value = attribute?.attributeStorage(of: model, as: C.self)?.stored { return value }
        // A getter cannot throw. The context has noted why the value could not be loaded, and refuses to save until the
        // error was seen; a fetch never leaves out an attribute that has neither a default nor a neutral value.
        context?.noteUnfulfilled(property, of: model)
        OrphanReads.note(property, of: self)
        return standIn(C.self, for: property)
    }

    /// Something to return for a property that cannot be computed, such as a sum that no `Int` holds. Nothing is reported: by the next save the object
    /// may have other values, and if not, the database refuses the row.
    func standIn<C: AttributeCoding>(_: C.Type, at slot: Int, of model: any PersistentModel) -> C.Value {
        standIn(C.self, for: type(of: model)._$descriptor.properties[slot])
    }

    private func standIn<C: AttributeCoding>(_: C.Type, for property: any ModelProperty) -> C.Value {
        if let declared = property.defaultValue as? C.Value { return declared }
        if let neutral = C.placeholder { return neutral }
        if let standIn = C.standIn { return standIn }
        // The last resort, for the few types of which no value can be made up: an enum whose only case has a payload of
        // such a type, or a transformer that refuses empty bytes. There is nothing that could be returned.
        preconditionFailure(
            "\(property.qualifiedName) could not be loaded, and no value of type \(C.Value.self) can be made up to stand in. "
                + "Give the property a default value: it is then returned, and the next save throws why loading failed."
        )
    }
}
