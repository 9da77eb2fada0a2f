public import Foundation
public import StrataModels

// Calls that people try and that do not exist yet. Without these declarations the compiler says that there is no such member, or that it
// could not find out what is wrong; with them it says what to do instead. What comes to exist is taken out here.

/// Writing without objects.
extension ModelContext {
    /// Is said by values: `.set(\.price, to: 0)`.
    @available(*, unavailable, message: "name the changes: update(model: …, where: …, .set(…, to: …), .add(…, to: …))")
    public func update<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true,
        _ change: (T) throws -> Void
    ) throws {}

    /// Is said by values: `.set(\.price, to: 0)`.
    @available(*, unavailable, message: "name the changes: update(model: …, where: …, .set(…, to: …), .add(…, to: …))")
    public func update<T: PersistentModel, Value>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true,
        set keyPath: KeyPath<T, Value>, to value: Value
    ) throws {}

    /// Is an update by predicate.
    @available(*, unavailable, message: "use update(model: …, where: …, .add(…, to: …)) and save()")
    public func increment<T: PersistentModel, Value>(_ keyPath: KeyPath<T, Value>, of model: T, by value: Value) throws
    {
    }

    /// Is said for each object, or of rows without objects: `insert(into:rows:)`.
    @available(
        *, unavailable,
        message:
            "insert each object, save() writes all of them in one round trip; or insert(into: …, rows: …) without objects"
    )
    public func insert<Models: Sequence>(contentsOf models: Models) where Models.Element: PersistentModel {}

    /// Has the name `importCSV(from:into:)`.
    @available(*, unavailable, message: "use importCSV(from: …, into: …, \\.name, …), which names the properties")
    public func copy<T: PersistentModel>(from url: URL, into model: T.Type) throws {}
}

/// Reading without objects.
extension ModelContext {
    /// Has the name `fetchSum(_:of:)`.
    @available(*, unavailable, message: "use fetchSum(FetchDescriptor(predicate: …), of: …)")
    public func sum<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Has the name `fetchAverage(_:of:)`.
    @available(*, unavailable, message: "use fetchAverage(FetchDescriptor(predicate: …), of: …)")
    public func average<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Has the name `fetchMinimum(_:of:)`.
    @available(*, unavailable, message: "use fetchMinimum(FetchDescriptor(predicate: …), of: …)")
    public func minimum<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Has the name `fetchMaximum(_:of:)`.
    @available(*, unavailable, message: "use fetchMaximum(FetchDescriptor(predicate: …), of: …)")
    public func maximum<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, where predicate: Predicate<T>? = nil)
        throws -> Value?
    { nil }

    /// Is said by the columns: `fetch(descriptor, selecting: .key(\.city), .count)`.
    @available(*, unavailable, message: "use fetch(descriptor, selecting: .key(…), .count, .sum(…)): keys are columns")
    public func fetch<T: PersistentModel, Value>(_ descriptor: FetchDescriptor<T>, groupBy keyPath: KeyPath<T, Value>)
        throws
        -> [T]
    { [] }

    /// Has the label `selecting`.
    @available(*, unavailable, message: "use fetch(descriptor, selecting: …)")
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
