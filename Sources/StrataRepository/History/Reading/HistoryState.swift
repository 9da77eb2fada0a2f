import StrataClient
import StrataModels

/// What is known of a store's history when it was read: whose numbers these are, and what was deleted.
struct HistoryState {
    /// Whether history is recorded in this store.
    var isRecorded = false
    var generation: Int64 = 0
    /// Every deleted transaction has a smaller number.
    var deletedBelow: Int64 = 0
    /// How often something was deleted, of whichever generation.
    var deletions: Int64 = 0
    var isInRecovery = false
    /// Whether these are the cluster and the database in which the numbers were given.
    var isAtHome = true
    /// The numbers from this one on have not been given yet.
    var end: Int64 = 0
    /// The transaction that asks, if it has changed something.
    var own: Int64?
    /// Of the running transactions that tokens name: those that may have been deleted since.
    var lost: [Int64] = []

    /// Reads it; `running` are the transactions that tokens name as running.
    static func statement(of schemaName: String, running: [Int64]) throws -> PostgresStatement {
        let listed = running.map(String.init)
        let sql: SQLFragment = """
            SELECT st.generation::bigint, st.deleted_below::text::bigint, pg_is_in_recovery(), \
            CASE WHEN pg_is_in_recovery() THEN TRUE ELSE st.system_identifier IS NOT DISTINCT FROM \
            (SELECT system_identifier FROM pg_control_system()) AND st.timeline IS NOT DISTINCT FROM \
            left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AND st.database_oid IS NOT DISTINCT FROM \
            (SELECT oid FROM pg_database WHERE datname = current_database()) END, \
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint, pg_current_xact_id_if_assigned()::text::bigint, \
            EXISTS (SELECT FROM \(HistorySchema.description) AS d WHERE d.store = st.number \
            AND (jsonb_array_length(d.current -> 'entities') > 0 OR d.next IS NOT NULL)), \
            ARRAY(SELECT l.x::text::bigint FROM unnest(\(bind: listed)::xid8[]) AS l(x) WHERE \
            CASE WHEN l.x >= st.deleted_below OR l.x >= pg_snapshot_xmax(pg_current_snapshot()) THEN FALSE \
            WHEN EXISTS (SELECT FROM \(HistorySchema.transaction) AS t WHERE t.store = st.number \
            AND t.generation = st.generation AND t.xid = l.x) THEN FALSE \
            ELSE coalesce(pg_xact_status(l.x), 'committed') = 'committed' END), \
            st.deletions \
            FROM \(LibrarySchema.store) AS st WHERE st.schema_name = \(bind: schemaName)
            """
        return try sql.statement(name: "state of history").storingNothing
    }

    mutating func take(_ row: PostgresRow) throws {
        generation = try row.decode(0)
        deletedBelow = try row.decode(1)
        isInRecovery = try row.decode(2)
        isAtHome = try row.decode(3)
        end = try row.decode(4)
        own = try row.decodeIfPresent(5)
        isRecorded = try row.decode(6)
        lost = try row.decode(7)
        deletions = try row.decode(8)
    }

    /// Why reading cannot go on after a place; `nil` if it can.
    func expiry(of position: HistoryPosition) -> String? {
        guard position.generation == generation, isAtHome else {
            return "The database was restored from a backup, copied, or taken over by a standby since"
        }
        guard let base = position.base else {
            return position.page != nil && deletions != position.floor
                ? "Transactions were deleted while the history was read from its beginning" : nil
        }
        // A standby may be behind the primary on which the token was made.
        if !isInRecovery, base.end > end { return "The token is from a later time than the database" }
        if base.end < deletedBelow || base.running.contains(where: lost.contains) {
            return "Transactions after the token have been deleted"
        }
        return nil
    }

    /// The numbers were given elsewhere: from now on is another generation.
    static func adoptionBatch(of schemaName: String, isInsideTransaction: Bool = false) throws -> PostgresBatch {
        var batch = PostgresBatch()
        if !isInsideTransaction {
            batch.begin()
            batch.add(PostgresStatement(PreparedSQL("SET TRANSACTION READ WRITE", isCached: false)))
        }
        batch.add(try adoption(of: schemaName))
        if !isInsideTransaction { batch.commit() }
        return batch
    }

    static func adoption(of schemaName: String) throws -> PostgresStatement {
        let adopt: SQLFragment = "SELECT \(identifier: LibrarySchema.name).history_adopt(\(bind: schemaName))"
        return try adopt.statement(name: "begin another generation of history")
    }

    static func notRecorded(in schemaName: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "No history is recorded in the PostgreSQL schema \"\(schemaName)\": it was switched off "
                + "(recordsHistory: false), or its triggers were never made. Open a container that may create them, or apply "
                + "the migrations.")
    }
}
