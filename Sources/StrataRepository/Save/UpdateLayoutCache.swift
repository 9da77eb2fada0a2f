import Synchronization

/// The layouts of updates by their shapes.
final class UpdateLayoutCache: Sendable {
    /// Sets of columns that a program writes together are few.
    private static let capacity = 1000

    private let layouts = Mutex<[UpdateGroup.Shape: UpdateLayout]>([:])

    func layout(_ shape: UpdateGroup.Shape, owner: EntityMapping) -> UpdateLayout {
        if let known = layouts.withLock({ $0[shape] }) { return known }
        let layout = UpdateLayout(shape, owner: owner)
        layouts.withLock { layouts in
            if layouts.count >= Self.capacity { layouts = [:] }
            layouts[shape] = layout
        }
        return layout
    }
}
