/// The stored end of a to-many relationship: its objects, `nil` while they are not loaded.
public struct ToMany<Destination: PersistentModel> {
    @usableFromInline package var members: Members

    @inlinable
    package init(_ objects: [Destination]?) { members = Members(objects) }

    @inlinable package var objects: [Destination]? {
        get { members.objects(Destination.self) }
        set { members = Members(newValue) }
    }
}

/// The stored end of a to-many relationship declared as `[X]?`. It reads as an empty array when there are no rows:
/// PostgreSQL has no difference between no objects and no array.
public struct OptionalToMany<Destination: PersistentModel> {
    @usableFromInline package var members: Members

    @inlinable
    package init(_ objects: [Destination]?) { members = Members(objects) }

    @inlinable package var objects: [Destination]? {
        get { members.objects(Destination.self) }
        set { members = Members(newValue) }
    }
}

extension Members {
    // An array of objects is laid out alike whatever their class: both ways are without a copy, which every read of a to-many
    // relationship would cost otherwise.

    @inlinable
    init<Destination: PersistentModel>(_ objects: [Destination]?) {
        self.init(unsafeBitCast(objects, to: [AnyObject]?.self))
    }

    /// The array, of whose objects it is known that they are of this class.
    @inlinable
    func objects<Destination: PersistentModel>(_: Destination.Type) -> [Destination]? {
        unsafeBitCast(array, to: [Destination]?.self)
    }
}
