package import StrataClient
import StrataModels

/// Takes a lock by name that a connection holds, and gives it back.
package final class AdvisorySessionLock {
    private let name: LockName
    private let waits: Bool
    private let back: PostgresStatement
    /// Whether the connection is one of the server: a pooler shows a process of its own.
    package private(set) var isOfServer = false
    package private(set) var isTaken = false
    /// Whether the lock was there to be given back.
    package private(set) var wasHeld = false

    /// - Parameter tenant: whose lock it is; `nil` for one of the database.
    package init(_ name: String, of tenant: String? = nil, waits: Bool) throws {
        self.name = LockName(name, of: tenant)
        self.waits = waits
        let giveBack: SQLFragment = "SELECT pg_advisory_unlock(\(advisoryLockNumber: self.name))"
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

/// What a lock is of: tenants have locks of their own.
struct LockName {
    fileprivate let text: String

    init(_ name: String, of tenant: String?) {
        text = "strata:" + (tenant.map { "tenant/\($0)/" } ?? "") + name
    }
}

extension SQLFragment.StringInterpolation {
    /// The number of the lock with a name: locks have numbers of 64 bits. Two names with the same number wait for each other, which is
    /// all that can happen.
    mutating func appendInterpolation(advisoryLockNumber name: LockName) {
        appendInterpolation("hashtextextended(\(bind: name.text), 0)" as SQLFragment)
    }
}
