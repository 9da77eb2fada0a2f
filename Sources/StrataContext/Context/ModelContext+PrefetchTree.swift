import StrataModels
import StrataRepository

extension ModelContext {
    /// Loads a tree of relationships of objects in memory; blocks this thread. Nothing is sent where there is nothing to load.
    func loadBlocking(_ tree: PrefetchTree, of objects: [any PersistentModel], in session: StoreSession) throws {
        if !tree.branches.isEmpty, !objects.isEmpty { try perform(loading(tree, of: objects, in: session)) }
    }

    /// Loads a tree of relationships of objects in memory. Nothing is sent where there is nothing to load.
    func load(_ tree: PrefetchTree, of objects: [any PersistentModel], in session: StoreSession) async throws {
        if !tree.branches.isEmpty, !objects.isEmpty { try await perform(loading(tree, of: objects, in: session)) }
    }
}
