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
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var containers: [String: Reference] = [:]
        var uses: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(_ stores: [Store]) {
        limit = max(1, stores.compactMap { $0.configuration.tenants?.maximumOpen }.min() ?? 1)
    }

    /// The container of a tenant that is open.
    func container(of tenant: String, in base: ModelContainer) -> ModelContainer? {
        state.withLock { state in
            if state.entries[tenant] != nil {
                state.uses += 1
                state.entries[tenant]?.lastUse = state.uses
            }
            if let container = state.containers[tenant]?.container { return container }
            guard let stores = state.entries[tenant]?.stores else { return nil }
            return Self.container(of: tenant, in: base, stores, &state)
        }
    }

    /// The container of a tenant that was opened just now, or the one that somebody else has opened meanwhile.
    func add(_ tenant: String, _ stores: [Store], in base: ModelContainer) -> ModelContainer {
        state.withLock { state in
            state.uses += 1
            if state.entries[tenant] == nil {
                if state.entries.count >= limit,
                    let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
                {
                    state.entries[oldest.key] = nil
                    state.containers = state.containers.filter { $0.value.container != nil }
                }
                state.entries[tenant] = Entry(stores: stores, lastUse: state.uses)
            }
            return state.containers[tenant]?.container
                ?? Self.container(of: tenant, in: base, state.entries[tenant]?.stores ?? stores, &state)
        }
    }

    /// The tenant is gone: who asks for it looks whether there is another of this name.
    func forget(_ tenant: String) {
        state.withLock { state in
            state.entries[tenant] = nil
            state.containers[tenant] = nil
        }
    }

    /// Forgets all, and returns the containers in use.
    func close() -> [ModelContainer] {
        state.withLock { state in
            defer { state = State() }
            return state.containers.values.compactMap(\.container)
        }
    }

    /// How many are remembered.
    var count: Int { state.withLock { $0.entries.count } }

    private static func container(
        of tenant: String, in base: ModelContainer, _ stores: [Store], _ state: inout State
    ) -> ModelContainer {
        let container = ModelContainer(tenant: tenant, of: base, stores)
        state.containers[tenant] = Reference(container: container)
        return container
    }
}
