import StrataModels
import StrataRepository

extension ModelContext {
    /// Loads a tree of relationships of objects in memory; blocks this thread. Nothing is sent where there is nothing to load.
    func loadBlocking(_ tree: PrefetchTree, of objects: [any PersistentModel], in session: StoreSession) throws {
        guard !tree.branches.isEmpty, !objects.isEmpty else { return }
        var execution = PrefetchExecution(tree, of: objects, session: session)
        try performLimited(&execution, in: session, for: "load relationships")
    }

    /// Loads a tree of relationships of objects in memory. Nothing is sent where there is nothing to load.
    func load(_ tree: PrefetchTree, of objects: [any PersistentModel], in session: StoreSession) async throws {
        guard !tree.branches.isEmpty, !objects.isEmpty else { return }
        try await readingWhatIsSaved {
            var execution = PrefetchExecution(tree, of: objects, session: session)
            try await performLimited(&execution, in: session, for: "load relationships")
        }
    }
}
