import StrataClient
import StrataRepository

extension StepRun {
    /// Walks the keys that exist, range by range, each in a transaction that also moves the checkpoint. Keys are sparse, so
    /// a range is counted out rather than computed.
    func runInBatches(table: String, key: String, _ kind: RowKey.Kind, size: Int) throws -> Int64? {
        let name = TableName(schema: session.schemaName, name: table)
        // The record has room for a number. A walk by other keys begins anew, and finds done what was done.
        var checkpoint = kind == .integer ? record?.checkpoint.map { RowKey($0) } : nil
        var rowsDone = kind == .integer ? record?.rowsDone ?? 0 : 0
        var rowsTotal = record?.rowsTotal
        if record == nil {
            rowsTotal = try estimate(of: name)
            try session.ledger.begin(step, of: stage, rowsTotal: rowsTotal)
        }
        let before = rowsDone
        let clock = ContinuousClock()
        let begin = clock.now
        var pace = RangePace(most: session.options.batchSize ?? size)
        while let range = try nextRange(of: name, key: key, kind, after: checkpoint, size: pace.rows) {
            let duration = try clock.measure {
                try retrying { attempt in try run(range, rowsDone: rowsDone + range.rows, attempt) }
            }
            pace.took(duration, for: range.rows)
            checkpoint = range.last
            rowsDone += range.rows
            session.report(
                .stepProgress(
                    step: step.id,
                    progress(done: rowsDone, since: before, total: rowsTotal, elapsed: begin.duration(to: clock.now))))
            guard range.last.integer != .max else { break }
            session.pause(session.options.batchPause)
        }
        try session.transaction { try recordDone() }
        return rowsDone
    }

    private struct KeyRange {
        var first: RowKey
        var last: RowKey
        var rows: Int64
    }

    private func nextRange(
        of table: TableName, key: String, _ kind: RowKey.Kind, after checkpoint: RowKey?, size: Int
    ) throws -> KeyRange? {
        // The texts of UUIDs have their order, byte by byte; the collations of some languages have another. Texts have that of their column.
        let type =
            switch kind {
            case .integer: "bigint"
            case .uuid: "text COLLATE \"C\""
            case .text: "text"
            case .date: "timestamptz"
            }
        var keys: SQLFragment = "SELECT \(identifier: key)::\(raw: type) AS k FROM \(table)"
        if let checkpoint { keys.append(" WHERE \(identifier: key) > \(bind: checkpoint)") }
        // Of texts two at least: a range that ended with the empty one would have no end (`SchemaSQL.range`).
        let count = kind == .text ? max(size, 2) : size
        keys.append(" ORDER BY \(identifier: key) LIMIT \(bind: Int64(count))")
        let found = try session.rows("SELECT min(k), max(k), count(*) FROM (\(keys)) AS keys" as SQLFragment) { row in
            if row.isNull(0) { return KeyRange?.none }
            let rows: Int64 = try row.decode(2)
            guard kind == .uuid else { return KeyRange(first: row.key(0, kind), last: row.key(1, kind), rows: rows) }
            guard let first = RowKey(try row.decode(0, as: String.self), of: kind),
                let last = RowKey(try row.decode(1, as: String.self), of: kind)
            else { return nil }
            return KeyRange(first: first, last: last, rows: rows)
        }
        guard var range = found.first ?? nil else { return nil }
        // From the checkpoint on: a key between it and the first may have been committed meanwhile. The next of a text is the text itself, and what
        // is done once more is found done.
        if let checkpoint { range.first = checkpoint.moved(by: 1) }
        return range
    }

    private func run(_ range: KeyRange, rowsDone: Int64, _ attempt: Attempt) throws {
        try session.transaction {
            try session.set(attempt, history: step.history)
            try session.execute(
                """
                SELECT pg_catalog.set_config('strata.batch_first', \(bind: "\(range.first)"), true), \
                pg_catalog.set_config('strata.batch_last', \(bind: "\(range.last)"), true), \
                pg_catalog.set_config('strata.sync', 'off', true)
                """ as SQLFragment)
            try session.whileStep(mayTake: attempt.statementTimeout) {
                for sql in step.statements { try session.execute(sql) }
            }
            try session.ledger.advance(step, of: stage, to: range.last.integer ?? 0, rowsDone: rowsDone)
        }
    }

    /// The planner's number for large tables, which costs nothing; small ones are counted.
    private func estimate(of table: TableName) throws -> Int64? {
        let large: Int64 = 100_000
        let estimates = try session.rows(
            """
            SELECT c.reltuples::bigint FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n \
            ON n.oid = c.relnamespace WHERE n.nspname = \(bind: table.schema) AND c.relname = \(bind: table.name)
            """
        ) { try $0.decode(0, as: Int64.self) }
        if let estimate = estimates.first, estimate >= large { return estimate }
        return try session.rows("SELECT count(*) FROM \(table)") { try $0.decode(0, as: Int64.self) }.first
    }

    private func progress(done: Int64, since before: Int64, total: Int64?, elapsed: Duration) -> MigrationProgress {
        let parts = elapsed.components
        let seconds = max(Double(parts.seconds) + Double(parts.attoseconds) / 1e18, 0.001)
        let rate = Double(done - before) / seconds
        let left = total.map { Double(max(0, $0 - done)) / max(rate, 0.001) }
        return MigrationProgress(
            rowsDone: done, rowsTotal: total.map { max($0, done) }, rowsPerSecond: rate,
            timeLeft: left.map { .seconds($0) })
    }
}
