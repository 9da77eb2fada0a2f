public import Foundation

/// What to fetch: which objects, in which order, how many, and what of them.
///
/// ```swift
/// var descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" }, sortBy: [SortDescriptor(\.startDate)])
/// descriptor.fetchLimit = 20
/// descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
/// ```
public struct FetchDescriptor<T: PersistentModel>: Sendable {
    /// Which objects; `nil` for all objects of the class and its subclasses.
    public var predicate: Predicate<T>?
    /// In which order. `nil` values sort first ascending, last descending. Ties are broken by key, so that pages are
    /// stable.
    public var sortBy: [SortDescriptor<T>]
    /// An order by what no key path says, such as expressions and the rank of a search; it comes before ``sortBy``. Empty for none.
    ///
    /// ```swift
    /// descriptor.orderBy = [.reverse(.value(#Expression { $0.bucketList.count }))]
    /// ```
    public var orderBy: [QueryOrder<T>] = []
    /// How many objects of each group at most: the first ones in the descriptor's order. `nil` for all. ``fetchLimit`` and
    /// ``fetchOffset`` are of what is left.
    public var groupLimit: GroupLimit<T>?
    /// How many objects at most; `nil` for all. A negative number is an error of the fetch.
    public var fetchLimit: Int?
    /// How many objects of the ordered result to pass over; `nil` for none. A negative number is an error of the fetch.
    public var fetchOffset: Int?
    /// Whether unsaved inserts, changes and deletions of the context take part in the result.
    public var includePendingChanges = true
    /// Whether objects that are softly deleted (`@Attribute(.deletionDate)`) are among those looked at. To-many relationships, those in
    /// predicates too, leave them out all the same. Without effect on classes without such a date.
    ///
    /// ```swift
    /// var bin = FetchDescriptor<Trip>(predicate: #Predicate { $0.deletedAt != nil })
    /// bin.includeDeleted = true
    /// ```
    public var includeDeleted = false
    /// The properties to read now; the others are read when they are touched. Empty for all.
    public var propertiesToFetch: [PartialKeyPath<T>] {
        get { fetchedKeyPaths }
        set { fetchedKeyPaths = newValue.map { sendable($0) } }
    }
    /// The relationships to load together with the objects: one query each, whatever the number of objects.
    /// A path may lead through several relationships.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] {
        get { prefetchedKeyPaths }
        set { prefetchedKeyPaths = newValue.map { sendable($0) } }
    }
    /// The lock to take on the rows of the objects, until the transaction ends; `nil` for none. For `fetch` within a transaction.
    public var lock: RowLock?
    /// ``propertiesToFetch``, as the library reads them.
    @usableFromInline package var fetchedKeyPaths: [any PartialKeyPath<T> & Sendable] = []
    /// ``relationshipKeyPathsForPrefetching``, as the library reads them.
    @usableFromInline package var prefetchedKeyPaths: [any PartialKeyPath<T> & Sendable] = []

    /// A descriptor for the objects that match, in this order; for all of them, by key, without arguments.
    @inlinable
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }

    /// The spelling of the first beta.
    @available(*, deprecated, message: "write predicate: first and sortBy: as an array")
    public init(sortBy: SortDescriptor<T>, predicate: Predicate<T>? = nil) {
        self.init(predicate: predicate, sortBy: [sortBy])
    }
}
