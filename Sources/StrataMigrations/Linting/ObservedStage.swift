package import StrataClient
import StrataRepository

/// What every step of a stage did to the tables that were there before, seen on a scratch database.
package struct ObservedStage: Sendable {
    package var steps: [(step: MigrationStep, locks: ObservedLocks)] = []

    /// Runs the steps one after the other, without a record of them. Closures are left out.
    ///
    /// The database must be at the version the steps start from, with the tables of the ledger. Throws what the server
    /// refuses. A statement outside a transaction is only looked at for rewrites: its locks are gone when it is done.
    package init(running steps: [MigrationStep], in schemaName: String, on connection: PostgresConnection) throws {
        let existing = Set(try TableFile.read(in: schemaName, on: connection).map(\.table))
        for step in steps {
            let locks: ObservedLocks
            switch step.execution {
            case .closure: continue
            case .alone:
                let before = try TableFile.read(in: schemaName, on: connection).filter { existing.contains($0.table) }
                for sql in step.statements {
                    try connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
                }
                let after = try TableFile.read(in: schemaName, on: connection)
                locks = ObservedLocks(rewritten: TableFile.rewritten(before, after))
            case .transaction, .verify:
                locks = try ObservedLocks(running: step.statements, in: schemaName, of: existing, on: connection)
            case .batches:
                // All keys at once: a range more or less takes no other locks.
                locks = try ObservedLocks(
                    running: Self.everyKey + step.statements, in: schemaName, of: existing, on: connection)
            }
            self.steps.append((step, locks))
        }
    }

    /// `step 2.4, add column trip.rating: trip: AccessExclusiveLock was taken, None is declared`.
    package var lines: [String] {
        steps.flatMap { step, locks in
            locks.lines(exceeding: step).map { "step \(step.id), \(step.title): \($0)" }
        }
    }

    private static let everyKey = [
        """
        SELECT pg_catalog.set_config('strata.batch_first', '\(Int64.min)', true), \
        pg_catalog.set_config('strata.batch_last', '\(Int64.max)', true)
        """
    ]
}
