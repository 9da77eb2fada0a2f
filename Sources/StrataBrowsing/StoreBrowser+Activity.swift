import StrataClient
import StrataRepository

/// A session of the database, as the server sees it at one moment.
public struct ServerSession: Sendable, Equatable {
    /// The server's process.
    public let process: Int32
    /// The user.
    public let user: String?
    /// The name of the program.
    public let application: String?
    /// `active`, `idle in transaction` …; `nil` where the role may not see it.
    public let state: String?
    /// What it waits for, such as `Lock: transactionid`.
    public let waitsFor: String?
    /// Since when the statement runs, or the state lasts.
    public let age: Duration?
    /// Since when its transaction is open.
    public let transactionAge: Duration?
    /// The sessions that it waits for.
    public let blockedBy: [Int32]
    /// The locks on tables that it holds or waits for, the strongest first.
    public let locks: [TableLock]
    /// The beginning of its latest statement; programs may have written values into it.
    public let statement: String
}

/// A lock on a table.
public struct TableLock: Sendable, Equatable {
    /// The table.
    public let table: String
    /// Such as `AccessExclusiveLock`.
    public let mode: String
    /// Whether it is held, or waited for.
    public let isGranted: Bool
}

extension StoreBrowser {
    /// The sessions of this database that do something or keep a transaction open, the longest first, without the browser's own. A role
    /// without `pg_read_all_stats` sees the statements of its own sessions only.
    public func activity() async throws -> [ServerSession] {
        try await read("read what the server does") { connection in
            let locks = try await connection.rows(
                """
                SELECT l.pid, n.nspname || '.' || c.relname, l.mode, l.granted FROM pg_catalog.pg_locks AS l \
                JOIN pg_catalog.pg_class AS c ON c.oid = l.relation AND c.relkind IN ('r', 'p') \
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE l.locktype = 'relation' AND l.pid <> pg_catalog.pg_backend_pid() \
                AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) \
                AND n.nspname NOT IN ('pg_catalog', 'pg_toast') ORDER BY l.granted, c.relname, l.mode LIMIT 1000
                """, "locks"
            ) { row in
                (
                    try row.decode(0, as: Int32.self),
                    TableLock(table: try row.decode(1), mode: try row.decode(2), isGranted: try row.decode(3))
                )
            }
            let byProcess = Dictionary(grouping: locks, by: \.0).mapValues { $0.map(\.1) }
            return try await connection.rows(
                """
                SELECT a.pid, a.usename::text, nullif(a.application_name, ''), a.state, \
                nullif(concat_ws(': ', a.wait_event_type, a.wait_event), ''), \
                extract(epoch FROM clock_timestamp() - CASE WHEN a.state = 'active' THEN a.query_start ELSE a.state_change END)::float8, \
                extract(epoch FROM clock_timestamp() - a.xact_start)::float8, \
                pg_catalog.pg_blocking_pids(a.pid), left(a.query, 4000) \
                FROM pg_catalog.pg_stat_activity AS a WHERE a.datname = current_database() \
                AND a.pid <> pg_catalog.pg_backend_pid() AND a.backend_type = 'client backend' \
                AND (a.state IS DISTINCT FROM 'idle') ORDER BY a.xact_start NULLS LAST, a.pid
                """, "sessions"
            ) { row in
                let process = try row.decode(0, as: Int32.self)
                return ServerSession(
                    process: process, user: try row.decodeIfPresent(1), application: try row.decodeIfPresent(2),
                    state: try row.decodeIfPresent(3), waitsFor: try row.decodeIfPresent(4),
                    age: try row.decodeIfPresent(5, as: Double.self).map { .seconds($0) },
                    transactionAge: try row.decodeIfPresent(6, as: Double.self).map { .seconds($0) },
                    blockedBy: try row.decode(7), locks: byProcess[process] ?? [],
                    statement: try row.decodeIfPresent(8) ?? "")
            }
        }
    }
}
