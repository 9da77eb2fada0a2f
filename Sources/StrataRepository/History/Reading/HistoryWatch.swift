package import StrataClient
package import StrataModels

/// What tells whether transactions have ended: the server's snapshot, and what others are told.
package enum HistoryWatch {
    private static let nature = PreparedSQL(
        "SELECT pg_is_in_recovery(), current_setting('max_prepared_transactions')::integer, pg_backend_pid()")
    private static let currentSnapshot = PreparedSQL("SELECT pg_current_snapshot()")
    private static let notify = PreparedSQL("SELECT pg_notify($1, '')")

    /// Asks whether the server is a standby, which cannot listen, whether transactions may end in two phases, so that not everybody notifies, and
    /// which process of the server answers.
    package static func examining(
        _ take: @escaping (_ isStandby: Bool, _ everybodyNotifies: Bool, _ process: Int32) -> Void
    ) -> PostgresBatch {
        PostgresBatch(PostgresStatement(nature)) { row in
            take(try row.decode(0, as: Bool.self), try row.decode(1, as: Int32.self) == 0, try row.decode(2))
        }
    }

    /// Asks which transactions run.
    package static func looking(_ take: @escaping (HistorySnapshot) -> Void) -> PostgresBatch {
        PostgresBatch(PostgresStatement(currentSnapshot)) { row in take(try row.decode(0)) }
    }

    /// Asks for the place in the history of a transaction that only reads.
    package static func placing(
        in schemaName: String, _ take: @escaping (HistoryPosition) -> Void
    ) throws -> PostgresBatch {
        // On a standby transactions that run are taken for ended: only those below all of them have.
        let query: SQLFragment = """
            SELECT "generation"::bigint, (CASE WHEN pg_is_in_recovery()
                THEN format('%s:%s:', pg_snapshot_xmin(s), pg_snapshot_xmin(s))::pg_snapshot ELSE s END)
            FROM \(LibrarySchema.store), pg_current_snapshot() AS s
            WHERE "schema_name" = \(bind: schemaName)
            """
        return PostgresBatch(try query.statement(name: "read the place in the history")) { row in
            take(HistoryPosition(generation: try row.decode(0), base: try row.decode(1)))
        }
    }

    /// Tells those who listen to a channel of a commit.
    package static func notification(to channel: String) throws -> PostgresBatch {
        PostgresBatch(
            PostgresStatement(notify, parameters: try PostgresParameters(channel), name: "notify of a commit"))
    }
}
