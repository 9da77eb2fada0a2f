import Foundation

// What the code that `@Model` writes calls on a property's storage. Each storage has one function of each name, and hands on to the
// row or the object's state; all of it is inlined.

extension AttributeStorage {
    /// Reads the attribute from the next column of the row (``RowReader``).
    @inlinable
    public mutating func read(from row: inout RowReader) { row.next(&self) }
    /// Writes the attribute to the next column of the row (``RowWriter``).
    @inlinable
    public func write(to row: inout RowWriter) { row.next(self) }
    /// Puts back what the attribute was before its first change (``OriginalsReader``).
    @inlinable
    public mutating func restore(from originals: inout OriginalsReader) { originals.next(&self) }
    /// The property's value.
    @inlinable
    public func get<M: PersistentModel>(
        _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>
    ) -> Coding.Value {
        state.get(self, at: slot, of: model, keyPath)
    }
    /// The value of a property that a `#Generated` computes.
    public func computed<M: PersistentModel>(
        by generated: Schema.Generated<M, Coding.Value>, _ state: ModelState, at slot: Int, of model: M,
        _ keyPath: KeyPath<M, Coding.Value>
    ) -> Coding.Value {
        // Who follows a key path gives a property some value, and looks where it comes out.
        if state.context?.isProbe == true { return state.get(self, at: slot, of: model, keyPath) }
        return (try? generated.expression.evaluate(model)) ?? state.standIn(Coding.self, at: slot, of: model)
    }
    /// Sets the property.
    @inlinable
    public func set<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, AttributeStorage) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension ToOne {
    /// Reads the relationship from the next column of the row (``RowReader``).
    @inlinable
    public mutating func read(from row: inout RowReader) { row.next(&self) }
    /// Writes the relationship to the next column of the row (``RowWriter``).
    @inlinable
    public func write(to row: inout RowWriter) { row.next(self) }
    /// Puts back what the relationship was before its first change (``OriginalsReader``).
    @inlinable
    public mutating func restore(from originals: inout OriginalsReader) { originals.next(&self) }
    /// The property's value.
    @inlinable
    public func get<M: PersistentModel>(
        _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Destination?>
    ) -> Destination? {
        state.get(self, at: slot, of: model, keyPath)
    }
    /// Sets the property.
    @inlinable
    public func set<M: PersistentModel>(
        _ value: Destination?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Destination?>,
        _ write: (M, ToOne) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension RequiredToOne {
    /// Reads the relationship from the next column of the row (``RowReader``).
    @inlinable
    public mutating func read(from row: inout RowReader) { row.next(&self) }
    /// Writes the relationship to the next column of the row (``RowWriter``).
    @inlinable
    public func write(to row: inout RowWriter) { row.next(self) }
    /// Puts back what the relationship was before its first change (``OriginalsReader``).
    @inlinable
    public mutating func restore(from originals: inout OriginalsReader) { originals.next(&self) }
    /// The property's value.
    @inlinable
    public func get<M: PersistentModel>(
        _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Destination>
    ) -> Destination {
        state.get(self, at: slot, of: model, keyPath)
    }
    /// Sets the property.
    @inlinable
    public func set<M: PersistentModel>(
        _ value: Destination, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Destination>,
        _ write: (M, RequiredToOne) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension ToMany {
    /// Reads the relationship from the next column of the row (``RowReader``).
    @inlinable
    public mutating func read(from row: inout RowReader) { row.next(&self) }
    /// Writes the relationship to the next column of the row (``RowWriter``).
    @inlinable
    public func write(to row: inout RowWriter) { row.next(self) }
    /// Puts back what the relationship was before its first change (``OriginalsReader``).
    @inlinable
    public mutating func restore(from originals: inout OriginalsReader) { originals.next(&self) }
    /// The property's value.
    @inlinable
    public func get<M: PersistentModel>(
        _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, [Destination]>
    ) -> [Destination] {
        state.get(self, at: slot, of: model, keyPath)
    }
    /// Sets the property.
    @inlinable
    public func set<M: PersistentModel>(
        _ value: [Destination], _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, [Destination]>,
        _ write: (M, ToMany) -> Void
    ) {
        state.setArray(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension OptionalToMany {
    /// Reads the relationship from the next column of the row (``RowReader``).
    @inlinable
    public mutating func read(from row: inout RowReader) { row.next(&self) }
    /// Writes the relationship to the next column of the row (``RowWriter``).
    @inlinable
    public func write(to row: inout RowWriter) { row.next(self) }
    /// Puts back what the relationship was before its first change (``OriginalsReader``).
    @inlinable
    public mutating func restore(from originals: inout OriginalsReader) { originals.next(&self) }
    /// The property's value.
    @inlinable
    public func get<M: PersistentModel>(
        _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, [Destination]?>
    ) -> [Destination]? {
        state.get(self, at: slot, of: model, keyPath)
    }
    /// Sets the property.
    @inlinable
    public func set<M: PersistentModel>(
        _ value: [Destination]?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, [Destination]?>,
        _ write: (M, OptionalToMany) -> Void
    ) {
        state.setArray(value, at: slot, current: self, of: model, keyPath, write)
    }
}
