import Synchronization

/// Where a getter reports that it had nothing to return because the object's context is gone.
///
/// A getter cannot throw, and there is no context left to refuse a save: the least it can do is to be heard. Containers
/// set this to their logger.
package enum OrphanReads {
    private static let handler = Mutex<(@Sendable (String) -> Void)?>(nil)

    package static func report(to handler: @escaping @Sendable (String) -> Void) {
        self.handler.withLock { $0 = handler }
    }

    /// Reports a read of a property that was not loaded, on an object that has a row.
    static func note(_ property: ModelProperty, of state: ModelState) {
        guard state.context == nil, state.key != 0, state.phase == .registered else { return }
        handler.withLock { $0 }?(property.qualifiedName)
    }
}
