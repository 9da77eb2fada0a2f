public import StrataModels

// SwiftData's names for stores of another kind. There are none here: see Documentation/Decisions/0015. Each is declared, so that
// source which mentions one is told why, in place of "cannot find type".

/// SwiftData's protocol of stores: there is none of another kind here.
@available(
    *, unavailable, message: "the store behind a context is PostgreSQL, named by ModelConfiguration"
)
public protocol DataStore: AnyObject {}

/// SwiftData's protocol of stores that delete by predicate.
@available(
    *, unavailable, message: "the store behind a context is PostgreSQL; use ModelContext.delete(model:where:)"
)
public protocol DataStoreBatching: AnyObject {}

/// SwiftData's protocol of configurations of any store.
@available(*, unavailable, message: "write ModelConfiguration: the store behind a context is PostgreSQL")
public protocol DataStoreConfiguration: Hashable {}

/// SwiftData's protocol of an object's values on their way to a store.
@available(*, unavailable, message: "stores of another kind are not there; for values of objects see ModelSnapshot")
public protocol DataStoreSnapshot: Codable, Sendable {}

/// SwiftData's type of a value in a snapshot.
@available(*, unavailable, message: "stores of another kind are not there; for values of objects see ModelSnapshot")
public typealias DataStoreSnapshotValue = Codable & Sendable

/// SwiftData's keys of a snapshot's values.
@available(*, unavailable, message: "stores of another kind are not there; for values of objects see ModelSnapshot")
public enum DataStoreSnapshotCodingKey {}

/// SwiftData's snapshot of its own store.
@available(*, unavailable, message: "stores of another kind are not there; for values of objects see ModelSnapshot")
public struct DefaultSnapshot {}

/// SwiftData's store: PostgreSQL stands in its place.
@available(
    *, unavailable,
    message: "the store behind a context is PostgreSQL; the history that it has is ModelContext's (HistoryProviding)"
)
public final class DefaultStore {}

/// SwiftData's request for a fetch, to a store.
@available(*, unavailable, message: "the store behind a context is PostgreSQL; none of another kind is asked")
public struct DataStoreFetchRequest<T: PersistentModel> {}

/// SwiftData's answer of a store to a fetch.
@available(*, unavailable, message: "the store behind a context is PostgreSQL; none of another kind answers")
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType> {}

/// SwiftData's request for a save, to a store.
@available(*, unavailable, message: "the store behind a context is PostgreSQL; none of another kind is asked")
public struct DataStoreSaveChangesRequest<SnapshotType> {}

/// SwiftData's answer of a store to a save.
@available(*, unavailable, message: "the store behind a context is PostgreSQL; none of another kind answers")
public final class DataStoreSaveChangesResult<SnapshotType> {}

/// SwiftData's request for a deletion by predicate, to a store.
@available(*, unavailable, message: "the store behind a context is PostgreSQL; use ModelContext.delete(model:where:)")
public struct DataStoreBatchDeleteRequest<T: PersistentModel> {}

/// SwiftData's errors of stores.
@available(*, unavailable, message: "stores of another kind are not there; what PostgreSQL refuses is a SwiftDataError")
public enum DataStoreError: Error {
    /// What the store cannot do.
    case unsupportedFeature
    /// The store wants the context to filter.
    case preferInMemoryFilter
    /// The store wants the context to sort.
    case preferInMemorySort
    /// The store cannot carry out a predicate.
    case invalidPredicate
}
