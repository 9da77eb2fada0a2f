import Synchronization

/// A server-side cursor within an open transaction that leaves the connection free between its batches.
///
/// Unlike ``PostgresCursor`` nothing is under way while a batch is handed out, so the same transaction can carry out
/// other statements meanwhile, further cursors among them. Not Sendable, like the closures it calls.
package final class PostgresTransactionCursor {
    private let connection: PostgresConnection
    private let batchSize: Int
    private let name: String
    private let statement: PostgresStatement
    private var isDeclared = false
    private var isAtEnd = false

    private static let numbers = Atomic<Int>(0)

    /// Nothing is sent before the first batch is asked for. The transaction must be open, and stay open.
    package init(_ statement: PostgresStatement, on connection: PostgresConnection, batchSize: Int = 5000) {
        self.connection = connection
        self.batchSize = max(1, batchSize)
        self.statement = statement
        name = "strata_cursor_\(Self.numbers.add(1, ordering: .relaxed).newValue)"
    }

    /// Hands out the next batch; blocks this thread. Returns its number of rows; 0 means that there are no more.
    package func next(
        onResult: ((PostgresResultDescription) throws -> Void)? = nil, onRow: @escaping (PostgresRow) throws -> Void
    ) throws -> Int {
        guard !isAtEnd else { return 0 }
        let rows = Counter()
        try connection.run(nextBatch(rows, onResult, onRow))
        return note(rows)
    }

    /// Hands out the next batch on the caller's isolation. Returns its number of rows; 0 means that there are no more.
    package func next(
        onResult: ((PostgresResultDescription) throws -> Void)? = nil, onRow: @escaping (PostgresRow) throws -> Void
    ) async throws -> Int {
        guard !isAtEnd else { return 0 }
        let rows = Counter()
        try await connection.run(nextBatch(rows, onResult, onRow))
        return note(rows)
    }

    /// Ends the cursor; the transaction stays open. Blocks this thread for a round trip.
    package func close() throws {
        if let batch = closingBatch() { try connection.run(batch) }
    }

    /// Ends the cursor although the task may be cancelled; the transaction stays open. What fails here fails again with the next
    /// statement.
    package func closeToEnd() async {
        if let batch = closingBatch() { try? await connection.runToEnd(batch) }
    }

    private final class Counter {
        var count = 0
    }

    private func nextBatch(
        _ rows: Counter, _ onResult: ((PostgresResultDescription) throws -> Void)?,
        _ onRow: @escaping (PostgresRow) throws -> Void
    ) -> PostgresBatch {
        var batch = PostgresBatch()
        if !isDeclared {
            isDeclared = true
            let declaration = PreparedSQL(
                "DECLARE \(name) NO SCROLL CURSOR FOR \(statement.sql.text)",
                parameterTypes: statement.sql.parameterTypes,
                isCached: false)
            batch.add(statement.withSQL(declaration))
        }
        var fetch = statement.withSQL(PreparedSQL("FETCH FORWARD \(batchSize) FROM \(name)", isCached: false))
        fetch.parameters = PostgresParameters()
        batch.add(
            fetch,
            onResult: { try onResult?($0) },
            onRow: {
                rows.count += 1
                try onRow($0)
            })
        return batch
    }

    private func note(_ rows: Counter) -> Int {
        if rows.count < batchSize { isAtEnd = true }
        return rows.count
    }

    /// `nil` when there is nothing to close: never declared, or the transaction has failed and takes the cursor along.
    private func closingBatch() -> PostgresBatch? {
        guard isDeclared, connection.isUsable, connection.transactionStatus == .inTransaction else { return nil }
        isDeclared = false
        isAtEnd = true
        let close = PostgresStatement(PreparedSQL("CLOSE \(name)", isCached: false), name: statement.name)
        return PostgresBatch(close.storingNothing)
    }
}
