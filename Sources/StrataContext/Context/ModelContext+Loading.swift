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
        try requireOwn(models)
        let (session, _) = try unit.place(of: T.self)
        let tree = try PrefetchTree(keyPaths, mapping: session.store.mapping)
        var execution = PrefetchExecution(tree, of: models, session: session)
        try performLimited(&execution, in: session, for: "load relationships of \(T.self)")
    }
}
