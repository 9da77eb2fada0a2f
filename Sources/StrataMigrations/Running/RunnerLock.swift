import StrataClient
import StrataRepository

/// The lock that lets one runner at a time work on a PostgreSQL schema: an advisory lock of the session.
///
/// It is polled for. A session that waits inside `pg_advisory_lock` has a snapshot, and a concurrent index build of the
/// holder would wait for that snapshot: both would wait for each other.
extension RunnerSession {
    private static let pollInterval = Duration.milliseconds(250)
    /// Every fourth poll is told.
    private static let pollsPerReport = 4

    /// FNV-1a over the schema's name, so that runners of different schemas do not meet.
    static func lockKey(of schemaName: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "strata.migrations:\(schemaName)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        return Int64(bitPattern: hash)
    }

    private var lockKey: Int64 { Self.lockKey(of: schemaName) }

    /// Throws `runnerLocked` when another runner does not end in time.
    func lock() throws {
        let begin = ContinuousClock.now
        var polls = 0
        while true {
            let isOurs = try rows("SELECT pg_catalog.pg_try_advisory_lock(\(bind: lockKey))") {
                try $0.decode(0, as: Bool.self)
            }
            if isOurs.first == true { break }
            let waited = begin.duration(to: .now)
            let holder = try lockHolder()
            guard waited < options.waitForRunner else {
                throw MigrationError(
                    .runnerLocked, "Another runner is at work on the schema \"\(schemaName)\".",
                    places: holder.map { ["held by \($0)"] } ?? [],
                    remedy: "wait until it has ended, or allow a longer wait")
            }
            if polls.isMultiple(of: Self.pollsPerReport) { report(.waitingForRunner(holder: holder, waited: waited)) }
            polls += 1
            pause(Self.pollInterval)
        }
        report(.lockAcquired(pid: try requireLock()))
    }

    /// Makes sure that the lock is still ours, and returns the server process that holds it.
    ///
    /// A pooler in transaction mode hands each transaction to another server process, and the lock stays behind.
    @discardableResult
    func requireLock() throws -> Int32 {
        // Asked before each step: what this process holds is of this database, which need not be looked up.
        let query: SQLFragment = """
            SELECT pg_catalog.pg_backend_pid(), EXISTS (SELECT FROM pg_catalog.pg_locks AS l \
            WHERE \(advisoryLock) AND l.pid = pg_catalog.pg_backend_pid())
            """
        let holder = try rows(query) { row in try row.decode(1, as: Bool.self) ? row.decode(0, as: Int32.self) : nil }
        let next = try rows("SELECT pg_catalog.pg_backend_pid()") { try $0.decode(0, as: Int32.self) }
        guard let process = holder.first ?? nil, next == [process] else {
            throw MigrationError(
                .connection, "The connection does not keep its session: statements reach different server processes.",
                remedy: "connect to the server itself, or to a pooler in session mode")
        }
        return process
    }

    private var advisoryLock: SQLFragment {
        """
        l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 \
        AND ((l.classid::bigint << 32) | l.objid::bigint) = \(bind: lockKey)
        """
    }

    private func lockHolder() throws -> MigrationSession? {
        try rows(
            """
            SELECT a.pid, a.usename::text, a.application_name, pg_catalog.host(a.client_addr), a.state, NULL::text, \
            EXTRACT(epoch FROM pg_catalog.clock_timestamp() - a.backend_start)::float8 \
            FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid WHERE \(advisoryLock) \
            AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
            """, MigrationSession.init(row:)
        ).first
    }
}

extension MigrationSession {
    /// pid, user, application, host, state, query, seconds.
    init(row: PostgresRow) throws {
        self.init(
            pid: try row.decodeIfPresent(0), user: try row.decodeIfPresent(1), application: try row.decodeIfPresent(2),
            host: try row.decodeIfPresent(3), state: try row.decodeIfPresent(4),
            query: try row.decodeIfPresent(5, as: String.self)?.beginning(80),
            age: try row.decodeIfPresent(6, as: Double.self).map { .seconds($0) })
    }
}
