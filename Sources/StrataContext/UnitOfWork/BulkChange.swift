import StrataRepository

/// A change of all rows that match a predicate, carried out by the server with the next save, in the order in which they were
/// asked for.
enum BulkChange {
    case deletion(BulkDeletion)
    case update(BulkUpdate)

    var session: StoreSession {
        switch self {
        case .deletion(let deletion): deletion.session
        case .update(let update): update.session
        }
    }

    /// Whether rows go.
    var isDeletion: Bool {
        guard case .deletion(let deletion) = self else { return false }
        return deletion.plan.softly == nil
    }

    /// The same, for a query that is to see it.
    var pending: PendingOverlay.BulkChange {
        switch self {
        case .deletion(let deletion):
            deletion.plan.softly.map { .softDeletion($0, seeds: deletion.plan.seeds, deletion.date) }
                ?? .deletion(deletion.entity, seeds: deletion.plan.seeds)
        case .update(let update): .update(update.plan)
        }
    }

    /// Whether both are one and the same call.
    static func === (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.deletion(let one), .deletion(let other)): one === other
        case (.update(let one), .update(let other)): one === other
        default: false
        }
    }
}
