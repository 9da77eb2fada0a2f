public import Foundation
public import StrataModels

// Calls that people try and that do not exist yet. Without these declarations the compiler says that there is no such member, or that it
// could not find out what is wrong; with them it says what to do instead. What comes to exist is taken out here.

/// Writing without objects.
extension ModelContext {
    /// Not there yet. Fetch the objects, change them, and save.
    @available(*, unavailable, message: "not there yet: fetch the objects, change them, and save()")
    public func update<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true,
        _ change: (T) throws -> Void
    ) throws {}

    /// Not there yet. Fetch the objects, change them, and save.
    @available(*, unavailable, message: "not there yet: fetch the objects, change them, and save()")
    public func update<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {}

    /// Not there yet. Fetch the objects, change them, and save.
    @available(*, unavailable, message: "not there yet: fetch the objects, change them, and save()")
    public func update<T: PersistentModel, Value>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true,
        set keyPath: KeyPath<T, Value>, to value: Value
    ) throws {}

    /// Not there yet. Change the property and save; under `withContext(attempts:)` a conflict is done again.
    @available(
        *, unavailable,
        message:
            "not there yet: change the property and save(), in withContext(attempts:) so that a conflict is done again"
    )
    public func increment<T: PersistentModel, Value>(_ keyPath: KeyPath<T, Value>, of model: T, by value: Value) throws
    {
    }

    /// Not there yet. Insert each object; `save()` writes all of them in one round trip.
    @available(
        *, unavailable, message: "not there yet: insert each object, save() writes all of them in one round trip"
    )
    public func insert<Models: Sequence>(contentsOf models: Models) where Models.Element: PersistentModel {}

    /// Not there yet. Read the rows, insert an object each, and save in batches.
    @available(
        *, unavailable,
        message: "not there yet: read the rows, insert an object for each, and save() every few thousand"
    )
    public func copy<T: PersistentModel>(from url: URL, into model: T.Type) throws {}
}

/// Reading without objects.
extension ModelContext {
    /// Not there yet. Fetch the objects, or the property with `propertiesToFetch`, and add the values.
    @available(*, unavailable, message: "not there yet: fetch with propertiesToFetch and add the values up")
    public func fetchSum<T: PersistentModel, Value>(_ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>)
        throws
        -> Value?
    { nil }

    /// Not there yet. Fetch the objects, or the property with `propertiesToFetch`, and compute the average.
    @available(*, unavailable, message: "not there yet: fetch with propertiesToFetch and compute the average")
    public func fetchAverage<T: PersistentModel, Value>(_ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>)
        throws -> Value?
    { nil }

    /// Not there yet. Fetch one object, sorted by the property.
    @available(*, unavailable, message: "not there yet: fetch one object, sorted by the property, with fetchLimit = 1")
    public func fetchMinimum<T: PersistentModel, Value>(_ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>)
        throws -> Value?
    { nil }

    /// Not there yet. Fetch one object, sorted by the property, the greatest first.
    @available(
        *, unavailable,
        message: "not there yet: fetch one object, sorted by the property in reverse, with fetchLimit = 1"
    )
    public func fetchMaximum<T: PersistentModel, Value>(_ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>)
        throws -> Value?
    { nil }

    /// Not there yet. Fetch the objects, or the property with `propertiesToFetch`, and add the values.
    @available(*, unavailable, message: "not there yet: fetch with propertiesToFetch and add the values up")
    public func sum<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws
        -> Value?
    { nil }

    /// Not there yet. Fetch the objects, or the property with `propertiesToFetch`, and compute the average.
    @available(*, unavailable, message: "not there yet: fetch with propertiesToFetch and compute the average")
    public func average<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Not there yet. Fetch one object, sorted by the property.
    @available(*, unavailable, message: "not there yet: fetch one object, sorted by the property, with fetchLimit = 1")
    public func minimum<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Not there yet. Fetch one object, sorted by the property, the greatest first.
    @available(
        *, unavailable,
        message: "not there yet: fetch one object, sorted by the property in reverse, with fetchLimit = 1"
    )
    public func maximum<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Not there yet. Fetch the objects and group them: `Dictionary(grouping:by:)`.
    @available(*, unavailable, message: "not there yet: fetch the objects and group them with Dictionary(grouping:by:)")
    public func fetch<T: PersistentModel, Value>(_ descriptor: FetchDescriptor<T>, groupBy keyPath: KeyPath<T, Value>)
        throws
        -> [T]
    { [] }

    /// Not there yet. Take snapshots with a few columns: `snapshots(of:only:)`.
    @available(
        *, unavailable, message: "not there yet: take snapshots(of: descriptor, only: …), which read just those columns"
    )
    public func fetch<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, select first: PartialKeyPath<T>, _ more: PartialKeyPath<T>...
    ) throws
        -> [T]
    { [] }
}

/// Locks, spelt otherwise.
extension ModelContext {
    /// Not there. Fetch the object with a descriptor whose `lock` is `.update`.
    @available(*, unavailable, message: "fetch it within a transaction, with descriptor.lock = .update")
    public func lock<T: PersistentModel>(_ model: T) throws {}

    /// Not there. The lock belongs to the descriptor.
    @available(*, unavailable, message: "set descriptor.lock, and fetch within a transaction")
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, lock: RowLock) throws -> [T] { [] }
}
