public import StrataClient

// Which storage a property has is decided here, by overload resolution, where the compiler knows the property's type:
// the macro sees only its spelling and cannot tell a model from an enum. `_storage` gives the initial storage: not
// loaded, or `nil` for an optional.

// MARK: Relationships

/// A to-one relationship that is optional; empty at first.
@inlinable
public func _storage<M: PersistentModel>(of: M?.Type) -> ToOne<M> { ToOne(.none) }
/// A to-one relationship that is not optional; not loaded at first.
@inlinable
public func _storage<M: PersistentModel>(of: M.Type) -> RequiredToOne<M> { RequiredToOne(.unloaded) }
/// A to-many relationship; not loaded at first.
@inlinable
public func _storage<M: PersistentModel>(of: [M].Type) -> ToMany<M> { ToMany(nil) }
/// A to-many relationship declared optional; empty at first.
@inlinable
public func _storage<M: PersistentModel>(of: [M]?.Type) -> OptionalToMany<M> { OptionalToMany([]) }

/// A to-one relationship whose type is that of its initializer expression, which is not evaluated.
@inlinable
public func _storage<M: PersistentModel>(inferredFrom: @autoclosure () -> M?) -> ToOne<M> { ToOne(.none) }
/// A required to-one relationship whose type is that of its initializer expression, which is not evaluated.
@inlinable
public func _storage<M: PersistentModel>(inferredFrom: @autoclosure () -> M) -> RequiredToOne<M> {
    RequiredToOne(.unloaded)
}
/// A to-many relationship whose type is that of its initializer expression, which is not evaluated.
@inlinable
public func _storage<M: PersistentModel>(inferredFrom: @autoclosure () -> [M]) -> ToMany<M> { ToMany(nil) }

// MARK: Attributes with a type of PostgreSQL

/// An attribute with a PostgreSQL type of its own; not loaded at first.
@inlinable
public func _storage<V: PostgresCodable>(of: V.Type) -> AttributeStorage<ScalarCoding<V>> { AttributeStorage() }
/// An optional attribute with a PostgreSQL type of its own; `nil` at first.
@inlinable
public func _storage<V: PostgresCodable>(of: V?.Type) -> AttributeStorage<OptionalCoding<ScalarCoding<V>>> {
    AttributeStorage(nil)
}
/// An attribute whose type is that of its initializer expression, which is not evaluated.
@inlinable
public func _storage<V: PostgresCodable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<ScalarCoding<V>> {
    AttributeStorage()
}
/// An optional attribute whose type is that of its initializer expression, which is not evaluated.
@inlinable
public func _storage<V: PostgresCodable>(inferredFrom: @autoclosure () -> V?) -> AttributeStorage<
    OptionalCoding<ScalarCoding<V>>
> {
    AttributeStorage(nil)
}

// MARK: Raw values

/// An enum (or struct) stored as its raw value; not loaded at first.
@inlinable
public func _storage<V: RawRepresentable>(of: V.Type) -> AttributeStorage<RawValueCoding<V>>
where V.RawValue: PostgresCodable {
    AttributeStorage()
}
/// An optional enum (or struct) stored as its raw value; `nil` at first.
@inlinable
public func _storage<V: RawRepresentable>(of: V?.Type) -> AttributeStorage<OptionalCoding<RawValueCoding<V>>>
where V.RawValue: PostgresCodable { AttributeStorage(nil) }
/// An array of enums stored as an array of raw values; not loaded at first.
@inlinable
public func _storage<V: RawRepresentable>(of: [V].Type) -> AttributeStorage<RawValueArrayCoding<V>>
where V.RawValue: PostgresCodable { AttributeStorage() }
/// An optional array of enums stored as an array of raw values; `nil` at first.
@inlinable
public func _storage<V: RawRepresentable>(of: [V]?.Type) -> AttributeStorage<OptionalCoding<RawValueArrayCoding<V>>>
where V.RawValue: PostgresCodable { AttributeStorage(nil) }
/// An enum whose type is that of its initializer expression, which is not evaluated; stored as its raw value.
@inlinable
public func _storage<V: RawRepresentable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<RawValueCoding<V>>
where V.RawValue: PostgresCodable { AttributeStorage() }
/// An array of enums whose type is that of its initializer expression, which is not evaluated.
@inlinable
public func _storage<V: RawRepresentable>(inferredFrom: @autoclosure () -> [V]) -> AttributeStorage<
    RawValueArrayCoding<V>
>
where V.RawValue: PostgresCodable { AttributeStorage() }

// MARK: Types of the user's own in a type that the server knows by its name

/// An attribute in a type that the server knows by its name; not loaded at first.
@inlinable
public func _storage<V: PostgresTextCodable>(of: V.Type) -> AttributeStorage<TextFormCoding<V>> { AttributeStorage() }
/// An optional attribute in a type that the server knows by its name; `nil` at first.
@inlinable
public func _storage<V: PostgresTextCodable>(of: V?.Type) -> AttributeStorage<OptionalCoding<TextFormCoding<V>>> {
    AttributeStorage(nil)
}
/// An array of such values; not loaded at first.
@inlinable
public func _storage<V: PostgresTextCodable>(of: [V].Type) -> AttributeStorage<TextFormArrayCoding<V>> {
    AttributeStorage()
}
/// An optional array of such values; `nil` at first.
@inlinable
public func _storage<V: PostgresTextCodable>(of: [V]?.Type) -> AttributeStorage<OptionalCoding<TextFormArrayCoding<V>>>
{
    AttributeStorage(nil)
}
/// An attribute in a type that the server knows by its name, of the Swift type of its initializer expression, which is not evaluated.
@inlinable
public func _storage<V: PostgresTextCodable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<TextFormCoding<V>>
{
    AttributeStorage()
}
/// An array of such values, of the Swift type of its initializer expression, which is not evaluated.
@inlinable
public func _storage<V: PostgresTextCodable>(inferredFrom: @autoclosure () -> [V]) -> AttributeStorage<
    TextFormArrayCoding<V>
> {
    AttributeStorage()
}

// MARK: Everything else that is Codable, as jsonb

/// Any other `Codable` type, stored as `jsonb`; not loaded at first.
@_disfavoredOverload
@inlinable
public func _storage<V: Codable>(of: V.Type) -> AttributeStorage<JSONCoding<V>> { AttributeStorage() }
/// Any other optional `Codable` type, stored as `jsonb`; `nil` at first.
@_disfavoredOverload
@inlinable
public func _storage<V: Codable>(of: V?.Type) -> AttributeStorage<OptionalCoding<JSONCoding<V>>> {
    AttributeStorage(nil)
}
/// Any other `Codable` type, that of its initializer expression, which is not evaluated; stored as `jsonb`.
@_disfavoredOverload
@inlinable
public func _storage<V: Codable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<JSONCoding<V>> {
    AttributeStorage()
}

// MARK: Nothing of the above

// Without these, a type that cannot be stored would be a dozen errors in the macro's code, which speak of models.

/// A type that cannot be stored, which is an error that says what to do.
@_disfavoredOverload
@available(
    *, unavailable,
    message:
        "this type cannot be stored: make it Codable (stored as jsonb), name a transformer with @Attribute(.transformable(by:)), or mark the property @Transient"
)
public func _storage<V>(of: V.Type) -> AttributeStorage<_UnstorableCoding<V>> { AttributeStorage() }
/// The same for a type that is that of its initializer expression.
@_disfavoredOverload
@available(
    *, unavailable,
    message:
        "this type cannot be stored: make it Codable (stored as jsonb), name a transformer with @Attribute(.transformable(by:)), or mark the property @Transient"
)
public func _storage<V>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<_UnstorableCoding<V>> {
    AttributeStorage()
}

/// `@Attribute(.codable)`: one `jsonb` value, whatever the type.
@inlinable
public func _storage<V: Codable>(codable: V.Type) -> AttributeStorage<JSONCoding<V>> { AttributeStorage() }
/// `@Attribute(.codable)` of an optional property: one `jsonb` value, NULL for `nil`.
@inlinable
public func _storage<V: Codable>(codable: V?.Type) -> AttributeStorage<OptionalCoding<JSONCoding<V>>> {
    AttributeStorage(nil)
}

/// `@Attribute(.transformable(by:))`.
@inlinable
public func _storage<V, T: AttributeTransformer>(transformed: V.Type, by: T.Type) -> AttributeStorage<
    TransformedCoding<T>
>
where T.Value == V { AttributeStorage() }
/// `@Attribute(.transformable(by:))` of an optional property: NULL for `nil`.
@inlinable
public func _storage<V, T: AttributeTransformer>(
    transformed: V?.Type, by: T.Type
) -> AttributeStorage<OptionalCoding<TransformedCoding<T>>> where T.Value == V { AttributeStorage(nil) }
