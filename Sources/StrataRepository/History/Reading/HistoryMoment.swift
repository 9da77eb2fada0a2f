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
            SELECT \(raw: columns(generation: "st.generation")) \
            FROM \(LibrarySchema.store) AS st WHERE st.schema_name = \(bind: schemaName) \
            AND pg_current_xact_id_if_assigned() IS NOT NULL
            """
        return try sql.statement(name: "token of the transaction")
    }

    /// What ``take(_:)`` reads.
    static func columns(generation: String) -> String {
        "pg_current_snapshot(), \(generation), pg_current_xact_id_if_assigned()"
    }

    package mutating func take(_ row: PostgresRow) throws {
        guard !row.isNull(1), !row.isNull(2) else { return }
        // Unchecked: a `smallint` of the library's own table, and an `xid8`.
        let (generation, own) = (Int64(row.int16(1)), row.int64(2))
        let snapshot = try row.decode(0, as: HistorySnapshot.self)
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
                PostgresStatement(PreparedSQL("SELECT pg_current_snapshot()")),
                onRow: { [unowned self] in snapshot = try $0.decode(0) })
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
