package import StrataClient
package import StrataModels

/// The place in the history right now: asked for at the end of a transaction, or on its own.
package struct HistoryMoment {
    package private(set) var position: HistoryPosition?

    package init() {}

    /// The statement for the end of a transaction that writes: the place after it, if it wrote anything.
    ///
    /// Part of the batch that commits, so it costs no round trip.
    package static func ofTransaction(in schemaName: String) throws -> PostgresStatement {
        let sql: SQLFragment = """
            SELECT \(raw: columns(of: "st")) \
            FROM \(LibrarySchema.store) AS st WHERE st.schema_name = \(bind: schemaName) \
            AND pg_current_xact_id_if_assigned() IS NOT NULL
            """
        return try sql.statement(name: "token of the transaction")
    }

    /// What ``take(_:from:)`` reads, of a row of the stores.
    static func columns(of store: String) -> String {
        "pg_current_snapshot()::text, \(store).generation, pg_current_xact_id_if_assigned()::text::bigint"
    }

    /// - Parameter first: the first of its columns.
    package mutating func take(_ row: PostgresRow, from first: Int = 0) throws {
        guard let snapshot = HistorySnapshot(postgresText: row.string(first)),
            let generation = try row.decodeIfPresent(first + 1, as: Int16.self).map({ Int64($0) }),
            let own = try row.decodeIfPresent(first + 2, as: Int64.self)
        else { return }
        // Between the snapshot's end and the transaction itself all others still run. Their list would be long where the
        // snapshot is much older (isolation above READ COMMITTED, or a statement that has waited for a row before it wrote): then
        // the transaction itself comes after its token.
        let isNear = own - snapshot.end < 10_000
        position = HistoryPosition(generation: generation, base: isNear ? snapshot.adding(own) : snapshot)
    }
}

/// Reads the present place in the history of one store: one round trip.
package final class HistoryPresent: StoreOperation {
    private enum Step { case read, adopt, done }

    private let schemaName: String
    private var step = Step.read
    private var hasAdopted = false
    private var state = HistoryState()
    private var snapshot: HistorySnapshot?

    package init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    package func next() throws -> PostgresBatch? {
        switch step {
        case .read:
            step = .adopt
            var batch = PostgresBatch()
            batch.begin(.repeatableRead, readOnly: true)
            batch.add(
                PostgresStatement(PreparedSQL("SELECT pg_current_snapshot()::text")),
                onRow: { [unowned self] in snapshot = HistorySnapshot(postgresText: $0.string(0)) })
            batch.add(
                try HistoryState.statement(of: schemaName, running: []),
                onRow: { [unowned self] in try state.take($0) })
            batch.commit()
            return batch
        case .adopt:
            guard state.isRecorded else { throw HistoryState.notRecorded(in: schemaName) }
            guard !state.isAtHome, !hasAdopted else {
                step = .done
                return nil
            }
            hasAdopted = true
            step = .read
            return try HistoryState.adoptionBatch(of: schemaName)
        case .done: return nil
        }
    }

    /// What a fetch can go on from that wants nothing of what has been.
    package func position() throws -> HistoryPosition {
        guard let snapshot else { throw HistoryState.notRecorded(in: schemaName) }
        // A standby cannot tell which of those that run on the primary have ended.
        let base = state.isInRecovery ? HistorySnapshot(end: snapshot.start) : snapshot
        return HistoryPosition(generation: state.generation, base: base)
    }
}
