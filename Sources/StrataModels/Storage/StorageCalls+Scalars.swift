public import Foundation
public import StrataClient

// The calls of StorageCalls once more for the types that most properties have, by names of their own: the row and the state have
// functions for these that know the type. `@Model` takes the name from the property's type as it is written. Should that be a type of
// somebody else's with the same name, the general function of that name is there.

extension AttributeStorage where Coding == ScalarCoding<String> {
    /// Reads a `String` from the next column of the row.
    @inlinable
    public mutating func readString(from row: inout RowReader) { row.next(&self) }
    /// Writes a `String` to the next column of the row.
    @inlinable
    public func writeString(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `String`.
    @inlinable
    public func setString<M: PersistentModel>(
        _ value: String, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, String>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readString(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeString(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setString<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == OptionalCoding<ScalarCoding<String>> {
    /// Reads a `String?` from the next column of the row.
    @inlinable
    public mutating func readOptionalString(from row: inout RowReader) { row.next(&self) }
    /// Writes a `String?` to the next column of the row.
    @inlinable
    public func writeOptionalString(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `String?`.
    @inlinable
    public func setOptionalString<M: PersistentModel>(
        _ value: String?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, String?>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readOptionalString(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeOptionalString(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setOptionalString<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == ScalarCoding<Int> {
    /// Reads a `Int` from the next column of the row.
    @inlinable
    public mutating func readInt(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Int` to the next column of the row.
    @inlinable
    public func writeInt(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Int`.
    @inlinable
    public func setInt<M: PersistentModel>(
        _ value: Int, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Int>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readInt(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeInt(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setInt<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == OptionalCoding<ScalarCoding<Int>> {
    /// Reads a `Int?` from the next column of the row.
    @inlinable
    public mutating func readOptionalInt(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Int?` to the next column of the row.
    @inlinable
    public func writeOptionalInt(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Int?`.
    @inlinable
    public func setOptionalInt<M: PersistentModel>(
        _ value: Int?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Int?>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readOptionalInt(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeOptionalInt(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setOptionalInt<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == ScalarCoding<Double> {
    /// Reads a `Double` from the next column of the row.
    @inlinable
    public mutating func readDouble(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Double` to the next column of the row.
    @inlinable
    public func writeDouble(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Double`.
    @inlinable
    public func setDouble<M: PersistentModel>(
        _ value: Double, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Double>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readDouble(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeDouble(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setDouble<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == OptionalCoding<ScalarCoding<Double>> {
    /// Reads a `Double?` from the next column of the row.
    @inlinable
    public mutating func readOptionalDouble(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Double?` to the next column of the row.
    @inlinable
    public func writeOptionalDouble(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Double?`.
    @inlinable
    public func setOptionalDouble<M: PersistentModel>(
        _ value: Double?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Double?>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readOptionalDouble(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeOptionalDouble(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setOptionalDouble<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == ScalarCoding<Bool> {
    /// Reads a `Bool` from the next column of the row.
    @inlinable
    public mutating func readBool(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Bool` to the next column of the row.
    @inlinable
    public func writeBool(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Bool`.
    @inlinable
    public func setBool<M: PersistentModel>(
        _ value: Bool, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Bool>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readBool(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeBool(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setBool<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == OptionalCoding<ScalarCoding<Bool>> {
    /// Reads a `Bool?` from the next column of the row.
    @inlinable
    public mutating func readOptionalBool(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Bool?` to the next column of the row.
    @inlinable
    public func writeOptionalBool(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Bool?`.
    @inlinable
    public func setOptionalBool<M: PersistentModel>(
        _ value: Bool?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Bool?>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readOptionalBool(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeOptionalBool(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setOptionalBool<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == ScalarCoding<Date> {
    /// Reads a `Date` from the next column of the row.
    @inlinable
    public mutating func readDate(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Date` to the next column of the row.
    @inlinable
    public func writeDate(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Date`.
    @inlinable
    public func setDate<M: PersistentModel>(
        _ value: Date, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Date>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readDate(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeDate(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setDate<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage where Coding == OptionalCoding<ScalarCoding<Date>> {
    /// Reads a `Date?` from the next column of the row.
    @inlinable
    public mutating func readOptionalDate(from row: inout RowReader) { row.next(&self) }
    /// Writes a `Date?` to the next column of the row.
    @inlinable
    public func writeOptionalDate(to row: inout RowWriter) { row.next(self) }
    /// Sets a property of type `Date?`.
    @inlinable
    public func setOptionalDate<M: PersistentModel>(
        _ value: Date?, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Date?>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}

extension AttributeStorage {
    /// Reads an attribute from the next column of the row.
    @_disfavoredOverload
    @inlinable
    public mutating func readOptionalDate(from row: inout RowReader) { row.next(&self) }
    /// Writes an attribute to the next column of the row.
    @_disfavoredOverload
    @inlinable
    public func writeOptionalDate(to row: inout RowWriter) { row.next(self) }
    /// Sets an attribute.
    @_disfavoredOverload
    @inlinable
    public func setOptionalDate<M: PersistentModel>(
        _ value: Coding.Value, _ state: ModelState, at slot: Int, of model: M, _ keyPath: KeyPath<M, Coding.Value>,
        _ write: (M, Self) -> Void
    ) {
        state.set(value, at: slot, current: self, of: model, keyPath, write)
    }
}
