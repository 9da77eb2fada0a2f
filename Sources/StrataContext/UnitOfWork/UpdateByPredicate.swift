public import StrataModels

/// What became of an `update(model:where:)`: known when the changes are saved.
///
/// Belongs to the isolation of its context, as the context's objects do.
public final class UpdateByPredicate {
    /// How many objects were changed, those included whose values were the same before; `nil` until the save has succeeded, and again
    /// when the transaction around it is rolled back.
    public internal(set) var count: Int?
    /// Which objects were changed, in no particular order; `nil` until the save has succeeded, and where `reportsIdentifiers` was not
    /// asked for. As ``count``.
    public internal(set) var identifiers: [PersistentIdentifier]?

    init() {}

    /// The save was undone.
    func forget() {
        count = nil
        identifiers = nil
    }
}
