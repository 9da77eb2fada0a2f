public import StrataClient

// Which storage a property has is decided here, by overload resolution, where the compiler knows the property's type: the
// macro sees only its spelling and cannot tell a model from an enum. `_storage` gives the initial storage: not loaded, or
// `nil` for an optional. `_stored` wraps a value.

// MARK: Relationships

public func _storage<M: PersistentModel>(of: M?.Type) -> ToOne<M> { ToOne(.none) }
public func _storage<M: PersistentModel>(of: M.Type) -> RequiredToOne<M> { RequiredToOne(.unloaded) }
public func _storage<M: PersistentModel>(of: [M].Type) -> ToMany<M> { ToMany(nil) }
public func _storage<M: PersistentModel>(of: [M]?.Type) -> OptionalToMany<M> { OptionalToMany([]) }

public func _storage<M: PersistentModel>(inferredFrom: @autoclosure () -> M?) -> ToOne<M> { ToOne(.none) }
public func _storage<M: PersistentModel>(inferredFrom: @autoclosure () -> M) -> RequiredToOne<M> {
    RequiredToOne(.unloaded)
}
public func _storage<M: PersistentModel>(inferredFrom: @autoclosure () -> [M]) -> ToMany<M> { ToMany(nil) }

public func _stored<M: PersistentModel>(_ value: M?) -> ToOne<M> { ToOne(value.map { .object($0) } ?? .none) }
public func _stored<M: PersistentModel>(_ value: M) -> RequiredToOne<M> { RequiredToOne(.object(value)) }
public func _stored<M: PersistentModel>(_ value: [M]) -> ToMany<M> { ToMany(value) }
public func _stored<M: PersistentModel>(_ value: [M]?) -> OptionalToMany<M> { OptionalToMany(value ?? []) }

// MARK: Attributes with a type of PostgreSQL

public func _storage<V: PostgresCodable>(of: V.Type) -> AttributeStorage<ScalarCoding<V>> { AttributeStorage() }
public func _storage<V: PostgresCodable>(of: V?.Type) -> AttributeStorage<OptionalCoding<ScalarCoding<V>>> { AttributeStorage(nil) }
public func _storage<V: PostgresCodable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<ScalarCoding<V>> { AttributeStorage() }
public func _storage<V: PostgresCodable>(inferredFrom: @autoclosure () -> V?) -> AttributeStorage<OptionalCoding<ScalarCoding<V>>> {
    AttributeStorage(nil)
}

// MARK: Raw values

public func _storage<V: RawRepresentable>(of: V.Type) -> AttributeStorage<RawValueCoding<V>> where V.RawValue: PostgresCodable {
    AttributeStorage()
}
public func _storage<V: RawRepresentable>(of: V?.Type) -> AttributeStorage<OptionalCoding<RawValueCoding<V>>>
where V.RawValue: PostgresCodable { AttributeStorage(nil) }
public func _storage<V: RawRepresentable>(of: [V].Type) -> AttributeStorage<RawValueArrayCoding<V>>
where V.RawValue: PostgresCodable { AttributeStorage() }
public func _storage<V: RawRepresentable>(of: [V]?.Type) -> AttributeStorage<OptionalCoding<RawValueArrayCoding<V>>>
where V.RawValue: PostgresCodable { AttributeStorage(nil) }
public func _storage<V: RawRepresentable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<RawValueCoding<V>>
where V.RawValue: PostgresCodable { AttributeStorage() }
public func _storage<V: RawRepresentable>(inferredFrom: @autoclosure () -> [V]) -> AttributeStorage<RawValueArrayCoding<V>>
where V.RawValue: PostgresCodable { AttributeStorage() }

// MARK: Everything else that is Codable, as jsonb

@_disfavoredOverload
public func _storage<V: Codable>(of: V.Type) -> AttributeStorage<JSONCoding<V>> { AttributeStorage() }
@_disfavoredOverload
public func _storage<V: Codable>(of: V?.Type) -> AttributeStorage<OptionalCoding<JSONCoding<V>>> { AttributeStorage(nil) }
@_disfavoredOverload
public func _storage<V: Codable>(inferredFrom: @autoclosure () -> V) -> AttributeStorage<JSONCoding<V>> { AttributeStorage() }

/// `@Attribute(.codable)`: one `jsonb` value, whatever the type.
public func _storage<V: Codable>(codable: V.Type) -> AttributeStorage<JSONCoding<V>> { AttributeStorage() }
public func _storage<V: Codable>(codable: V?.Type) -> AttributeStorage<OptionalCoding<JSONCoding<V>>> { AttributeStorage(nil) }

/// `@Attribute(.transformable(by:))`.
public func _storage<V, T: AttributeTransformer>(transformed: V.Type, by: T.Type) -> AttributeStorage<TransformedCoding<T>>
where T.Value == V { AttributeStorage() }
public func _storage<V, T: AttributeTransformer>(
    transformed: V?.Type, by: T.Type
) -> AttributeStorage<OptionalCoding<TransformedCoding<T>>> where T.Value == V { AttributeStorage(nil) }

@_disfavoredOverload
@inlinable
public func _stored<C: AttributeCoding>(_ value: C.Value) -> AttributeStorage<C> { AttributeStorage(value) }
