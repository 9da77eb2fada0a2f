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

    var isDeletion: Bool { if case .deletion = self { true } else { false } }

    /// The same, for a query that is to see it.
    var pending: PendingOverlay.BulkChange {
        switch self {
        case .deletion(let deletion): .deletion(deletion.entity, seeds: deletion.plan.seeds)
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
