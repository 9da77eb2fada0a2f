import StrataClient
import StrataModels
import StrataRepository

extension ModelContext {
    /// What lies between a token and the snapshot of the open transactions, which must be REPEATABLE READ, must not have
    /// written and do nothing else any more. The last page's token is the one of this moment.
    func historyUpToThisMoment(after token: DefaultHistoryToken, limit: Int) async throws -> HistoryPage {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
        descriptor.fetchLimit = UInt64(limit)
        return try await historyPage(of: HistoryFetch(descriptor, in: unit.sessions, endsTransaction: true))
    }

    /// The token behind everything that the snapshot of the open transactions sees, which must be REPEATABLE READ and must
    /// not have written.
    func tokenOfThisMoment() async throws -> DefaultHistoryToken {
        var positions: [String: HistoryPosition] = [:]
        for session in unit.sessions {
            guard let connection = session.connection else { continue }
            try await connection.run(
                HistoryWatch.placing(in: session.store.mapping.schemaName) {
                    positions[session.store.identifier] = $0
                })
        }
        return DefaultHistoryToken(positions)
    }
}
