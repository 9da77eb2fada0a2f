package import StrataClient
import StrataRepository

/// Drops the PostgreSQL schema of a tenant, and all that Strata keeps of it elsewhere. For a transaction of its own.
package struct TenantRemoval: StoreOperation {
    package enum Outcome: Hashable, Sendable {
        case removed
        /// There is no store in the schema.
        case unknown
        /// A runner is at work on it.
        case underMigration
    }

    private enum Step { case look, drop, done }

    private let schemaName: String
    private let found = Found()
    private var step = Step.look

    private final class Found {
        var isThere = false
        var isFree = false
        var hasLedger = false
        /// Whether a history may know the tenant, whatever is recorded now.
        var hasHistory = false
    }

    package init(_ schemaName: String) { self.schemaName = schemaName }

    package var outcome: Outcome {
        if !found.isThere { return .unknown }
        return found.isFree ? .removed : .underMigration
    }

    package mutating func next() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        let found = found
        switch step {
        case .look:
            step = .drop
            // A lock of the transaction: of the same number as that which a runner's session holds, and not waited for, as a concurrent build of the
            // runner would wait for who waits.
            let look: SQLFragment = """
                SELECT EXISTS (SELECT FROM \(LibrarySchema.store) AS s WHERE s.schema_name = \(bind: schemaName)), \
                pg_catalog.pg_try_advisory_xact_lock(\(bind: RunnerSession.lockKey(of: schemaName))), \
                pg_catalog.to_regclass(\(bind: "\(MigrationLedger.versions.schema).\(MigrationLedger.versions.name)")) IS NOT NULL, \
                pg_catalog.to_regprocedure('"strata"."history_forget"(text)') IS NOT NULL, \
                pg_catalog.set_config('lock_timeout', '10s', true)
                """
            batch.add(
                try look.statement(name: "look for the tenant"),
                onRow: { row in
                    found.isThere = try row.decode(0)
                    found.isFree = try row.decode(1)
                    found.hasLedger = try row.decode(2)
                    found.hasHistory = try row.decode(3)
                })
        case .drop:
            step = .done
            guard outcome == .removed else { return nil }
            try addRemoval(to: &batch)
            batch.commit()
        case .done: return nil
        }
        return batch
    }

    private func addRemoval(to batch: inout PostgresBatch) throws {
        // The tables first: whoever uses them is waited for here, and nothing was touched if that takes too long.
        var statements: [SQLFragment] = ["DROP SCHEMA IF EXISTS \(identifier: schemaName) CASCADE"]
        if found.hasHistory {
            statements.append("SELECT \"strata\".\"history_forget\"(\(bind: schemaName))")
        }
        statements.append("DELETE FROM \(LibrarySchema.store) WHERE schema_name = \(bind: schemaName)")
        if found.hasLedger {
            statements.append("DELETE FROM \(MigrationLedger.steps) WHERE schema_name = \(bind: schemaName)")
            statements.append("DELETE FROM \(MigrationLedger.versions) WHERE schema_name = \(bind: schemaName)")
        }
        for statement in statements { batch.add(try statement.statement(name: "delete the tenant")) }
    }
}
