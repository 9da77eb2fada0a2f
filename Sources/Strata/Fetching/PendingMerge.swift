import Foundation
import StrataModels

/// Lets a context's unsaved changes take part in the result of a fetch: what was deleted or no longer matches is
/// dropped, what now matches is added, and order, offset and limit apply to the whole.
struct PendingMerge<T: PersistentModel> {
    private let descriptor: FetchDescriptor<T>
    private let pending: [T]
    private let deletions: Int

    /// `nil` when no unsaved change can touch the result: the fetch is then pure SQL.
    init?(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) {
        let pending = unit.pending(of: T._$descriptor).compactMap { $0 as? T }
        let deletions = unit.pendingDeletions(of: T._$descriptor).count
        guard !pending.isEmpty || deletions > 0 else { return nil }
        self.descriptor = descriptor
        self.pending = pending
        self.deletions = deletions
    }

    /// How many rows of the store may turn out not to belong to the page.
    var extraRows: Int { pending.count + deletions }

    func apply(to rows: [T]) throws -> [T] {
        var known = Set<ObjectIdentifier>()
        var result: [T] = []
        for object in rows where !object.isDeleted && known.insert(ObjectIdentifier(object)).inserted {
            if object._$state.hasChanges, try !matches(object) { continue }
            result.append(object)
        }
        for object in pending where known.insert(ObjectIdentifier(object)).inserted {
            if try matches(object) { result.append(object) }
        }
        if !descriptor.sortBy.isEmpty || descriptor.fetchLimit != nil || descriptor.fetchOffset != nil {
            let order = MemoryOrder(descriptor.sortBy)
            result.sort { order.precedes($0, $1) }
        }
        let offset = min(descriptor.fetchOffset ?? 0, result.count)
        let end = descriptor.fetchLimit.map { offset + min($0, result.count - offset) } ?? result.count
        return Array(result[offset..<end])
    }

    private func matches(_ object: T) throws -> Bool {
        guard let predicate = descriptor.predicate else { return true }
        return try predicate.evaluate(object)
    }
}
