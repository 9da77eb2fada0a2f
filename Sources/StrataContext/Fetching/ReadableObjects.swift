public import StrataModels

/// What a fetch could read, and why it could not read the rest.
public struct ReadableObjects<T: PersistentModel> {
    /// The objects whose rows could be read, in the descriptor's order.
    public let objects: [T]
    /// One error for each row that could not be read: it names class, key and property, and
    /// ``SwiftDataError/identifiers`` holds the object's identifier where its class is known.
    public let failures: [SwiftDataError]
}
