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
            var batch = PostgresBatch()
            // On a standby transactions that run are taken for ended: only those below all of them have.
            let query: SQLFragment = """
                SELECT "generation"::bigint, (CASE WHEN pg_is_in_recovery()
                    THEN format('%s:%s:', pg_snapshot_xmin(s), pg_snapshot_xmin(s))::pg_snapshot ELSE s END)
                FROM \(LibrarySchema.store), pg_current_snapshot() AS s
                WHERE "schema_name" = \(bind: session.store.mapping.schemaName)
                """
            batch.add(
                try query.statement(name: "read the place in the history"),
                onRow: { row in
                    positions[session.store.identifier] = HistoryPosition(
                        generation: try row.decode(0), base: try row.decode(1))
                })
            try await connection.run(batch)
        }
        return DefaultHistoryToken(positions)
    }
}
