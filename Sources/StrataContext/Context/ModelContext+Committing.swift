import StrataClient
import StrataModels
import StrataRepository

/// Two databases cannot commit together. Both have checked everything before the first commit, so that one of them fails is
/// rare; it is reported as an unknown outcome.
extension ModelContext {
    typealias OpenStore = (session: StoreSession, connection: PostgresConnection)

    /// Ends the transactions of these stores, or releases the savepoint, one after the other; blocks this thread.
    func commit(in stores: [OpenStore], savepoint: String? = nil) throws {
        let stores = opened(stores, savepoint)
        for index in stores.indices {
            let (session, connection) = stores[index]
            do {
                let batch = try unit.commitBatch(of: session, savepoint: savepoint)
                try connection.within(unit.terms, unit.unobservedCall) { try connection.run(batch) }
            } catch {
                throw halfCommitted(error, stores, index)
            }
        }
    }

    /// Ends the transactions of these stores, or releases the savepoint, one after the other.
    func commit(in stores: [OpenStore], savepoint: String? = nil) async throws {
        let stores = opened(stores, savepoint)
        for index in stores.indices {
            let (session, connection) = stores[index]
            do {
                let batch = try unit.commitBatch(of: session, savepoint: savepoint)
                // With one store committed the others must follow, although the task may be cancelled by now.
                try await connection.within(unit.terms, unit.unobservedCall) {
                    if index == 0 { try await connection.run(batch) } else { try await connection.runToEnd(batch) }
                }
            } catch {
                throw halfCommitted(error, stores, index)
            }
        }
    }

    /// The stores to which anything was sent: the others have nothing to end, and nothing of theirs can be half done.
    private func opened(_ stores: [OpenStore], _ savepoint: String?) -> [OpenStore] {
        stores.filter { !$0.connection.dropPrepended(savepoint: savepoint) }
    }

    private func halfCommitted(_ error: any Error, _ stores: [OpenStore], _ index: Int) -> any Error {
        let failed = stores[index].session.store
        guard index > 0 else {
            return error is PostgresError ? SaveExecution.explain(error, mapping: failed.mapping) : error
        }
        let done = stores[..<index].map { "\"\($0.session.store.configuration.name)\"" }.joined(separator: ", ")
        return SwiftDataError(
            .outcomeUnknown,
            "The store \"\(failed.configuration.name)\" failed to commit after \(done) had committed. Read what was written "
                + "before saving again.", underlying: error as? PostgresError)
    }
}
