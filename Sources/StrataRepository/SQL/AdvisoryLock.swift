package import StrataClient
import StrataModels

/// Takes a lock by name that the transaction holds until it ends.
package final class AdvisoryLock: StoreOperation {
    private let statement: PostgresStatement
    private let waits: Bool
    private var isSent = false
    package private(set) var isTaken = false

    package init(_ name: String, waits: Bool) throws {
        self.waits = waits
        // Locks have numbers of 64 bits. Two names with the same number wait for each other, which is all that can happen.
        let call = waits ? "pg_advisory_xact_lock" : "pg_try_advisory_xact_lock"
        let sql: SQLFragment = "SELECT \(raw: call)(hashtextextended(\(bind: "strata:" + name), 0))"
        statement = try sql.statement(name: "advisory lock")
    }

    package func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        return PostgresBatch(statement) { self.isTaken = self.waits || $0.bool(0) }
    }
}
