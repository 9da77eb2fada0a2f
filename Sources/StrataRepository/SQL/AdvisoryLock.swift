package import StrataClient
import StrataModels

/// Takes a lock by name that the transaction holds until it ends.
package final class AdvisoryLock: StoreOperation {
    private let name: String
    private let statement: PostgresStatement
    private var isSent = false
    package private(set) var isTaken = false

    /// - Parameter tenant: whose lock it is; `nil` for one of the database.
    package init(_ name: String, of tenant: String? = nil, waits: Bool) throws {
        self.name = name
        let call = waits ? "pg_advisory_xact_lock" : "pg_try_advisory_xact_lock"
        // This statement takes the snapshot of a REPEATABLE READ or SERIALIZABLE transaction, and only then waits (manual 13.2): no
        // lock is taken there.
        let sql: SQLFragment = """
            SELECT current_setting('transaction_isolation'), CASE WHEN current_setting('transaction_isolation') LIKE 'read %' \
            THEN \(raw: call)(\(advisoryLockNumber: LockName(name, of: tenant)))\(raw: waits ? " IS NOT NULL" : "") END
            """
        statement = try sql.statement(name: "advisory lock").storingNothing
    }

    package func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        return PostgresBatch(statement) { row in
            guard !row.isNull(1) else {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "The lock \"\(self.name)\" was asked for in a transaction with the isolation level \(row.string(0)), which would go on "
                        + "to read what was there before it waited. Use .readCommitted for transactions that take locks by name."
                )
            }
            self.isTaken = row.bool(1)
        }
    }
}
