import StrataClient
import StrataModels
import StrataRepository

/// The relationships that a fetch loads once its objects are read.
struct FollowingPrefetch {
    private let tree: PrefetchTree
    private let session: StoreSession
    private var execution: PrefetchExecution?

    init<T: PersistentModel>(of descriptor: FetchDescriptor<T>, in session: StoreSession) throws {
        tree = try PrefetchTree(descriptor.prefetchedKeyPaths, mapping: session.store.mapping)
        self.session = session
    }

    var isEmpty: Bool { tree.branches.isEmpty }

    /// The next round trip; `nil` after the last.
    ///
    /// - Parameter owners: the objects of the fetch, asked for once.
    mutating func next(for owners: @autoclosure () -> [any PersistentModel]) throws -> PostgresBatch? {
        guard !isEmpty else { return nil }
        let execution = execution ?? PrefetchExecution(tree, of: owners(), session: session)
        self.execution = execution
        return try execution.next()
    }
}
