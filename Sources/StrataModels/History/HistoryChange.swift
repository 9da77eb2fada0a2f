/// What a transaction did to one object.
///
/// ```swift
/// switch change {
/// case .insert(let insert as DefaultHistoryInsert<Trip>): index(insert.changedPersistentIdentifier)
/// case .update(let update as DefaultHistoryUpdate<Trip>): print(update.updatedPropertyNames)
/// case .delete(let delete as DefaultHistoryDelete<Trip>): print(delete.tombstone[\.name] ?? "")
/// default: break
/// }
/// ```
public enum HistoryChange: Sendable {
    /// The object is new.
    case insert(any HistoryInsert)
    /// Some of the object's properties have another value.
    case update(any HistoryUpdate)
    /// The object is gone.
    case delete(any HistoryDelete)

    /// The object, named by its concrete class.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let insert): insert.changedPersistentIdentifier
        case .update(let update): update.changedPersistentIdentifier
        case .delete(let delete): delete.changedPersistentIdentifier
        }
    }

    /// The number of the change: unique in its store, growing within a transaction.
    public var changeIdentifier: Int64 {
        switch self {
        case .insert(let insert): insert.changeIdentifier
        case .update(let update): update.changeIdentifier
        case .delete(let delete): delete.changeIdentifier
        }
    }

    /// The transaction that made the change.
    public var transactionIdentifier: Int64 {
        switch self {
        case .insert(let insert): insert.transactionIdentifier
        case .update(let update): update.transactionIdentifier
        case .delete(let delete): delete.transactionIdentifier
        }
    }
}

/// The insertion of an object.
public protocol HistoryInsert<Model>: Sendable {
    /// The concrete class of the object.
    associatedtype Model: PersistentModel
    /// The type of ``transactionIdentifier``.
    typealias TransactionIdentifier = Int64
    /// The type of ``changeIdentifier``.
    typealias ChangeIdentifier = Int64
    /// The number of the change: unique in its store, growing within a transaction.
    var changeIdentifier: Int64 { get }
    /// The transaction that made the change.
    var transactionIdentifier: Int64 { get }
    /// The object.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A change of some properties of an object.
public protocol HistoryUpdate<Model>: Sendable {
    /// The concrete class of the object.
    associatedtype Model: PersistentModel
    /// The type of ``transactionIdentifier``.
    typealias TransactionIdentifier = Int64
    /// The type of ``changeIdentifier``.
    typealias ChangeIdentifier = Int64
    /// The number of the change: unique in its store, growing within a transaction.
    var changeIdentifier: Int64 { get }
    /// The transaction that made the change.
    var transactionIdentifier: Int64 { get }
    /// The object.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// A property that has another value since.
    typealias PropertyUpdate = PartialKeyPath<Model> & Sendable
    /// The properties that have another value since; history keeps no values of theirs.
    var updatedAttributes: [any PropertyUpdate] { get }
    /// Their names, those of properties that the class no longer has among them.
    var updatedPropertyNames: [String] { get }
}

/// The deletion of an object.
public protocol HistoryDelete<Model>: Sendable {
    /// The concrete class of the object.
    associatedtype Model: PersistentModel
    /// The type of ``transactionIdentifier``.
    typealias TransactionIdentifier = Int64
    /// The type of ``changeIdentifier``.
    typealias ChangeIdentifier = Int64
    /// The number of the change: unique in its store, growing within a transaction.
    var changeIdentifier: Int64 { get }
    /// The transaction that made the change.
    var transactionIdentifier: Int64 { get }
    /// The object that was deleted.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The values that were kept of it.
    var tombstone: HistoryTombstone<Model> { get }
}
