/// Where a getter reports that it had nothing to return because the object's context is gone.
///
/// A getter cannot throw, and there is no context left to refuse a save: the least it can do is to be heard. What is left
/// of the store is in the object's identity: the containers write there who listens.
enum OrphanReads {
    /// Reports a read of a property that was not loaded, on an object that has a row.
    static func note(_ property: any ModelProperty, of state: ModelState) {
        guard state.context == nil, state.key != 0, state.phase == .registered else { return }
        state.identity?.onOrphanRead?(property.qualifiedName)
    }
}
