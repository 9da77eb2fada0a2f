import StrataClient
import StrataModels
import StrataRepository

/// Two databases cannot commit together. Both have checked everything before the first commit, so that one of them fails is
/// rare; it is reported as an unknown outcome.
extension ModelContext {
    typealias OpenStore = (session: StoreSession, connection: PostgresConnection)

    /// Ends the transactions (or savepoints) of these stores, one after the other; blocks this thread.
    func commit(in stores: [OpenStore]) throws {
        try commit(in: stores, after: 0)
    }

    /// Ends the transactions (or savepoints) of these stores, one after the other.
    func commit(in stores: [OpenStore]) async throws {
        guard let first = stores.first else { return }
        do { try await first.connection.run(unit.commitBatch(of: first.session)) } catch {
            throw halfCommitted(error, stores, 0)
        }
        // With one store committed the others must follow, although the task may be cancelled by now: the blocking form
        // does not ask.
        try commit(in: stores, after: 1)
    }

    private func commit(in stores: [OpenStore], after done: Int) throws {
        for index in stores.indices.dropFirst(done) {
            let (session, connection) = stores[index]
            do { try connection.run(unit.commitBatch(of: session)) } catch { throw halfCommitted(error, stores, index) }
        }
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
