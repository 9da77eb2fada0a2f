public import StrataModels

/// One page of a fetch, and how many objects there are on all pages together.
public struct FetchedPage<T: PersistentModel> {
    /// The objects within the descriptor's `fetchOffset` and `fetchLimit`, in its order.
    public let objects: [T]
    /// How many objects match the descriptor's predicate, whatever its limit and offset.
    public let totalCount: Int
}
