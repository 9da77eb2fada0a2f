import StrataClient
import StrataRepository

extension ModelContainer {
    /// Carries out an operation in each store, one after the other; blocks this thread.
    ///
    /// - Parameters:
    ///   - explain: what an error means in a store; as it is by default.
    ///   - then: what follows in a store.
    @discardableResult
    func performInEach<Operation: StoreOperation>(
        for purpose: String, explain: (Store, any Error) -> any Error = { $1 }, then: (Store) -> Void = { _ in },
        _ make: (Store) throws -> Operation
    ) throws -> [Operation] {
        try stores.map { store in
            try store.requireLife()
            var operation = try make(store)
            do { operation = try store.pool.perform(operation, for: purpose) } catch { throw explain(store, error) }
            then(store)
            return operation
        }
    }

    /// Carries out an operation in each store, one after the other.
    ///
    /// - Parameters:
    ///   - explain: what an error means in a store; as it is by default.
    ///   - then: what follows in a store.
    @discardableResult
    func performInEach<Operation: StoreOperation>(
        for purpose: String, explain: (Store, any Error) -> any Error = { $1 }, then: (Store) -> Void = { _ in },
        _ make: (Store) throws -> Operation
    ) async throws -> [Operation] {
        var done: [Operation] = []
        for store in stores {
            try store.requireLife()
            let operation = try make(store)
            do { done.append(try await store.pool.perform(operation, for: purpose)) } catch {
                throw explain(store, error)
            }
            then(store)
        }
        return done
    }
}
