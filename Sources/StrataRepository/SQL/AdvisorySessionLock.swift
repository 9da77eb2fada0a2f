package import StrataClient
import StrataModels

/// Takes a lock by name that a connection holds, and gives it back.
package final class AdvisorySessionLock {
    private let name: String
    private let waits: Bool
    private let back: PostgresStatement
    /// Whether the connection is one of the server: a pooler shows a process of its own.
    package private(set) var isOfServer = false
    package private(set) var isTaken = false
    /// Whether the lock was there to be given back.
    package private(set) var wasHeld = false

    package init(_ name: String, waits: Bool) throws {
        self.name = name
        self.waits = waits
        let giveBack: SQLFragment = "SELECT pg_advisory_unlock(\(advisoryLockNumber: name))"
        back = try giveBack.statement(name: "advisory unlock")
    }

    /// - Parameter process: the server's, as the connection was told when it was opened.
    package func taking(on process: Int32) throws -> PostgresBatch {
        let call = waits ? "pg_advisory_lock" : "pg_try_advisory_lock"
        // A server that ends idle sessions would end the lock.
        let sql: SQLFragment = """
            SELECT pg_backend_pid() = \(bind: process), CASE WHEN pg_backend_pid() = \(bind: process) \
            AND set_config('idle_session_timeout', '0', false) IS NOT NULL \
            THEN \(raw: call)(\(advisoryLockNumber: name))\(raw: waits ? " IS NOT NULL" : "") END
            """
        return PostgresBatch(try sql.statement(name: "advisory lock")) { row in
            self.isOfServer = row.bool(0)
            self.isTaken = row.bool(1)
        }
    }

    package func givingBack() -> PostgresBatch {
        PostgresBatch(back) { self.wasHeld = $0.bool(0) }
    }
}

extension SQLFragment.StringInterpolation {
    /// The number of the lock with a name: locks have numbers of 64 bits. Two names with the same number wait for each other, which is
    /// all that can happen.
    mutating func appendInterpolation(advisoryLockNumber name: String) {
        appendInterpolation("hashtextextended(\(bind: "strata:" + name), 0)" as SQLFragment)
    }
}
