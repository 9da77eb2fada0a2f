public import StrataContext

extension ModelContext {
    /// The object with this identifier: from memory, else from the store; blocks this thread. At most one round trip.
    ///
    /// It cannot throw, as SwiftData's: when there is no such row, or it cannot be read, an object without values stands in, and
    /// the next `save()` or `throwUnreportedErrors()` throws why. `existingModel(for:)` returns `nil` instead.
    ///
    /// Where a program imports Strata too, that module's form is taken, which throws.
    @_disfavoredOverload
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel { modelOrStandIn(for: identifier) }
}
