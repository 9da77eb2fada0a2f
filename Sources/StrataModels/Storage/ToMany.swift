/// The stored end of a to-many relationship: its objects, `nil` while they are not loaded.
public struct ToMany<Destination: PersistentModel> {
    @usableFromInline package var objects: [Destination]?
    @inlinable
    package init(_ objects: [Destination]?) { self.objects = objects }
}

/// The stored end of a to-many relationship declared as `[X]?`. It reads as an empty array when there are no rows:
/// PostgreSQL has no difference between no objects and no array.
public struct OptionalToMany<Destination: PersistentModel> {
    @usableFromInline package var objects: [Destination]?
    @inlinable
    package init(_ objects: [Destination]?) { self.objects = objects }
}
