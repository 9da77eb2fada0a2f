import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// Loads a relationship (or a path of them) of objects that are in memory; blocks this thread. One round trip a level,
    /// whatever their number.
    ///
    /// Reading the property would do the same for the objects of one fetch; this does it for the objects you name.
    public func load<T: PersistentModel>(_ models: [T], _ keyPaths: PartialKeyPath<T>...) throws {
        guard !models.isEmpty else { return }
        let tree = try relationships(keyPaths, of: models)
        try perform(loading(tree, of: models, in: unit.place(of: T.self).session, "\(T.self)"))
    }

    /// The relationships of objects of this context.
    func relationships<T: PersistentModel>(_ keyPaths: [PartialKeyPath<T>], of models: [T]) throws -> PrefetchTree {
        try requireOwn(models)
        return try PrefetchTree(keyPaths.map { sendable($0) }, mapping: unit.place(of: T.self).session.store.mapping)
    }

    /// What loads a tree of relationships of objects in memory.
    ///
    /// - Parameter name: whose relationships, as errors and observers name them; nothing for those of several classes.
    func loading(
        _ tree: PrefetchTree, of objects: [any PersistentModel], in session: StoreSession, _ name: String? = nil
    ) -> StoreCall<PrefetchExecution> {
        let purpose = name.map { "load relationships of \($0)" } ?? "load relationships"
        return StoreCall(PrefetchExecution(tree, of: objects, session: session), in: session, for: purpose).limited
    }
}
