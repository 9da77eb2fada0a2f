import StrataClient
import StrataModels
import StrataRepository

/// Objects that a result leads to by to-one relationships and that were changed by others: a fetch does not read again what is in
/// memory already.
struct OutdatedTargets {
    /// Keys by the index of the hierarchy's root.
    private var keys: [Int: Set<RowKey>] = [:]
    /// Hierarchies of which anything may have changed.
    private var wholes: Set<Int> = []

    /// Notes what a transaction has changed in hierarchies that matter.
    mutating func note(_ transaction: DefaultHistoryTransaction, of roots: Set<Int>, in mapping: StoreMapping) {
        guard !roots.isEmpty else { return }
        for name in transaction.resetEntities {
            guard let root = mapping.entity(named: name)?.root.index, roots.contains(root) else { continue }
            wholes.insert(root)
        }
        for change in transaction.changes {
            let identifier = change.changedPersistentIdentifier
            guard let root = mapping.entity(named: identifier.entityName)?.root.index, roots.contains(root) else {
                continue
            }
            keys[root, default: []].insert(identifier.key)
        }
    }

    /// Notes that nobody knows what was changed.
    mutating func noteGap(in roots: Set<Int>) {
        wholes.formUnion(roots)
    }

    mutating func add(_ other: OutdatedTargets) {
        keys.merge(other.keys) { $0.union($1) }
        wholes.formUnion(other.wholes)
    }

    /// What reads those again that are in memory.
    func calls(in session: StoreSession) -> [StoreCall<KeyedFetchExecution>] {
        Set(keys.keys).union(wholes).compactMap { index in
            let root = session.store.mapping.entities[index]
            let known =
                wholes.contains(index)
                ? session.registeredModels(of: root).map(\._$state.key)
                : (keys[index] ?? []).filter { session.state(key: $0, root: root) != nil }
            guard !known.isEmpty else { return nil }
            let fetch = KeyedFetchExecution(root, keys: known.sorted(), session: session)
            return StoreCall(fetch, in: session, for: "refresh related objects").once
        }
    }
}

extension PrefetchTree {
    /// The hierarchies to which to-one relationships of the tree lead, by the index of their root.
    var targetRoots: Set<Int> {
        var roots: Set<Int> = []
        for branch in branches {
            if case .foreignKey = branch.mapping.storage { roots.insert(branch.mapping.destination.root.index) }
            roots.formUnion(branch.tree.targetRoots)
        }
        return roots
    }
}
