import StrataClient
import StrataRepository

extension RunnerSession {
    /// Who holds locks on tables that do not go together with one that was asked for, oldest transaction first; on any of the
    /// schema where none are named.
    ///
    /// Asked when the wait is over: the session cannot ask while it waits, and `pg_blocking_pids` knows nothing afterwards.
    func holders(against lock: MigrationStep.Lock, on tables: [String]) throws -> [MigrationSession] {
        var sql: SQLFragment = """
            SELECT l.pid, a.usename::text, a.application_name, pg_catalog.host(a.client_addr), a.state, a.query, \
            EXTRACT(epoch FROM pg_catalog.clock_timestamp() - min(a.xact_start))::float8 FROM pg_catalog.pg_locks AS l \
            JOIN pg_catalog.pg_class AS c ON c.oid = l.relation JOIN pg_catalog.pg_namespace AS n \
            ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid \
            WHERE l.granted AND l.locktype = 'relation' AND n.nspname = \(bind: schemaName) \
            AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) \
            AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid() AND l.mode = ANY (
            """
        try sql.append(texts: lock.conflicting.map { $0 + "Lock" })
        sql.append(raw: ")")
        if !tables.isEmpty {
            sql.append(raw: " AND c.relname = ANY (")
            try sql.append(texts: tables)
            sql.append(raw: ")")
        }
        sql.append(raw: " GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY min(a.xact_start) LIMIT 3")
        return try rows(sql, MigrationSession.init(row:))
    }
}

extension MigrationStep.Lock {
    /// The modes that do not go together with this one (PostgreSQL manual, 13.3.1).
    fileprivate var conflicting: [String] {
        let all = [
            "AccessShare", "RowShare", "RowExclusive", "ShareUpdateExclusive", "Share", "ShareRowExclusive",
            "Exclusive", "AccessExclusive",
        ]
        return switch self {
        // What it waited for was a row then: of those who write.
        case .none: Array(all.dropFirst(1))
        case .rowExclusive: Array(all.dropFirst(1))
        case .shareUpdateExclusive: Array(all.dropFirst(3))
        case .shareRowExclusive: Array(all.dropFirst(2))
        case .accessExclusive: all
        }
    }
}
