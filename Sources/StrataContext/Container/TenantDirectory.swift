import Synchronization

/// The tenants of a container that are open: their stores, the most recently used of them, and the containers that are in use.
///
/// It knows stores and not containers, which know it; so neither keeps the other.
final class TenantDirectory: Sendable {
    private struct Entry {
        let stores: [Store]
        var lastUse: UInt64
    }

    private struct Reference {
        weak var container: ModelContainer?
        /// Whether it is not given out before somebody has looked whether the tenant is still the same.
        var isInDoubt = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The last one is the current one; those before it were closed or have another tenant's identity, and are still in use.
        var containers: [String: [Reference]] = [:]
        var uses: UInt64 = 0
        /// The stores of which the server was seen to keep tenants' rows apart.
        var protected: Set<String> = []

        mutating func use() -> UInt64 {
            uses += 1
            return uses
        }

        /// The container that is given out.
        func current(_ tenant: String) -> ModelContainer? {
            guard let last = containers[tenant]?.last, !last.isInDoubt, let container = last.container,
                !container.isClosed
            else { return nil }
            return container
        }

        mutating func enter(_ tenant: String, _ stores: [Store], limit: Int) {
            if entries[tenant] == nil, entries.count >= limit,
                let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                entries[oldest.key] = nil
                containers = containers.compactMapValues { references in
                    let left = references.filter { $0.container != nil }
                    return left.isEmpty ? nil : left
                }
            }
            entries[tenant] = Entry(stores: stores, lastUse: use())
        }

        /// Ends what has tables of another tenant of this name; all where nothing is said.
        func end(_ tenant: String, otherThan stores: [Store]? = nil) {
            let kept = stores.map { Set($0.map(\.identifier)) } ?? []
            let old =
                (entries[tenant]?.stores ?? []) + (containers[tenant] ?? []).flatMap { $0.container?.stores ?? [] }
            for store in old where store.configuration.tenants != nil && !kept.contains(store.identifier) {
                store.end()
            }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(_ stores: [Store]) {
        limit = max(
            1,
            stores.compactMap { $0.configuration.tenants?.maximumOpen }.min()
                ?? ModelConfiguration.Tenants().maximumOpen)
    }

    /// The container of a tenant that is open.
    func container(of tenant: String, in base: ModelContainer) -> ModelContainer? {
        state.withLock { state in
            let use = state.use()
            state.entries[tenant]?.lastUse = use
            if let container = state.current(tenant) { return container }
            guard let stores = state.entries[tenant]?.stores else { return nil }
            return Self.container(of: tenant, in: base, stores, &state)
        }
    }

    /// The container of a tenant that was opened just now, or the one that somebody else has opened meanwhile.
    func add(_ tenant: String, _ stores: [Store], in base: ModelContainer) -> ModelContainer {
        state.withLock { state in
            if state.entries[tenant] == nil { state.enter(tenant, stores, limit: limit) }
            let current = state.entries[tenant]?.stores ?? stores
            if let container = state.current(tenant) { return container }
            // What was in doubt is of the same tenant, or of one that was deleted elsewhere.
            state.end(tenant, otherThan: current)
            if let index = state.containers[tenant]?.indices.last,
                let container = state.containers[tenant]?[index].container, !container.isClosed,
                container.stores.map(\.identifier) == current.map(\.identifier)
            {
                state.containers[tenant]?[index].isInDoubt = false
                return container
            }
            return Self.container(of: tenant, in: base, current, &state)
        }
    }

    /// Whether the server was seen to keep the rows of a store's tenants apart.
    func isProtected(_ store: Store) -> Bool { state.withLock { $0.protected.contains(store.identifier) } }

    func noteProtected(_ store: Store) { state.withLock { _ = $0.protected.insert(store.identifier) } }

    /// The container of a tenant that was created just now: whatever is known under its name is another, also what somebody adds who had looked before
    /// that was deleted.
    func replace(_ tenant: String, _ stores: [Store], in base: ModelContainer) -> ModelContainer {
        state.withLock { state in
            state.end(tenant, otherThan: stores)
            if let container = state.current(tenant),
                container.stores.map(\.identifier) == stores.map(\.identifier)
            {
                return container
            }
            state.enter(tenant, stores, limit: limit)
            return Self.container(of: tenant, in: base, stores, &state)
        }
    }

    /// The tenant seems to be gone: who asks for it looks whether there is one of this name, and whether it is the same.
    func forget(_ tenant: String) {
        state.withLock { state in
            state.entries[tenant] = nil
            if let index = state.containers[tenant]?.indices.last {
                state.containers[tenant]?[index].isInDoubt = true
            }
        }
    }

    /// The tenant was deleted: its contexts do not reach another of this name.
    func end(_ tenant: String) {
        state.withLock { state in
            state.end(tenant)
            state.entries[tenant] = nil
            state.containers[tenant] = nil
        }
    }

    /// Forgets all, and returns the containers in use.
    func close() -> [ModelContainer] {
        state.withLock { state in
            defer { state = State() }
            return state.containers.values.flatMap { $0.compactMap(\.container) }
        }
    }

    /// How many are remembered.
    var count: Int { state.withLock { $0.entries.count } }

    private static func container(
        of tenant: String, in base: ModelContainer, _ stores: [Store], _ state: inout State
    ) -> ModelContainer {
        let container = ModelContainer(tenant: tenant, of: base, stores)
        let old = (state.containers[tenant] ?? []).filter { $0.container != nil }
        state.containers[tenant] = old + [Reference(container: container)]
        return container
    }
}
