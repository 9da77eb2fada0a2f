extension PostgresConnection {
    /// How the server would carry out a statement, whatever its parameters: `EXPLAIN` of the generic plan (manual, PREPARE, Notes), line by
    /// line. Nothing is carried out, and no value is sent. Four round trips, of which no observer is told.
    ///
    /// For a connection without a transaction; what goes wrong leaves none behind.
    /// - Parameters:
    ///   - types: of the parameters, by their numbers on the server; 0 for what it infers.
    ///   - limit: how long each statement may take, and wait for a lock.
    /// - Throws: ``PostgresError``, also for a statement that cannot be explained; `CancellationError`.
    package func genericPlan(of sql: String, types: [UInt32], within limit: Duration) async throws -> [String] {
        do {
            let names = try await beginExplaining(types, within: limit)
            let list = names.isEmpty ? "" : "(\(names.joined(separator: ", ")))"
            try await runUnobserved { $0.add(unprepared("PREPARE \(explained)\(list) AS \(sql)")) }
            return try await explain(parameters: types.count)
        } catch {
            if transactionStatus != .idle {
                var ending = PostgresBatch()
                ending.isAwaited = false
                ending.rollback()
                await runUncancelled(ending)
            }
            throw error
        }
    }

    /// The name of the prepared statement: another on each connection, as poolers mix them.
    private var explained: String { "strata_explained_\(id)" }

    /// Begins the transaction and sets its times and the kind of plan. Returns the types as PREPARE takes them.
    private func beginExplaining(_ types: [UInt32], within limit: Duration) async throws -> [String] {
        let milliseconds = "\(limit.serverMilliseconds)"
        let settings = [
            ("statement_timeout", milliseconds), ("lock_timeout", milliseconds),
            ("plan_cache_mode", "force_generic_plan"),
        ]
        var names: [String] = []
        try await runUnobserved { batch in
            batch.begin(readOnly: true)
            for (setting, value) in settings {
                var parameters = PostgresParameters()
                try parameters.append(setting)
                try parameters.append(value)
                batch.add(PostgresStatement(Self.localSetting, parameters: parameters))
            }
            var parameters = PostgresParameters()
            try parameters.append("{\(types.map { "\($0)" }.joined(separator: ","))}")
            batch.add(
                PostgresStatement(Self.typeNames, parameters: parameters),
                onRow: { names.append(try $0.decode(0, as: String.self)) })
        }
        return names
    }

    /// Explains the prepared statement, gives its name up whatever comes of that, and ends the transaction: behind a pooler that is the session.
    private func explain(parameters: Int) async throws -> [String] {
        let nothing = parameters == 0 ? "" : "(\(Array(repeating: "NULL", count: parameters).joined(separator: ", ")))"
        let savepoint = "strata_explained"
        var lines: [String] = []
        var failure: (any Error)?
        do {
            try await runUnobserved { batch in
                batch.keepsFailedTransaction = true
                batch.savepoint(savepoint)
                batch.add(
                    unprepared("EXPLAIN EXECUTE \(explained)\(nothing)"),
                    onRow: { lines.append(try $0.decode(0, as: String.self)) })
            }
        } catch {
            failure = error
        }
        try await runUnobserved { batch in
            if failure != nil { batch.rollback(to: savepoint) }
            batch.add(unprepared("DEALLOCATE \(explained)"))
            batch.commit()
        }
        if let failure { throw failure }
        return lines
    }

    private func unprepared(_ sql: String) -> PostgresStatement {
        PostgresStatement(PreparedSQL(sql, isCached: false))
    }

    private func runUnobserved(_ make: (inout PostgresBatch) throws -> Void) async throws {
        var batch = PostgresBatch()
        batch.isAwaited = false
        try make(&batch)
        try await run(batch)
    }

    private static let localSetting = PreparedSQL("SELECT pg_catalog.set_config($1, $2, true)", isCached: false)

    private static let typeNames = PreparedSQL(
        """
        SELECT CASE number WHEN 0 THEN 'unknown' ELSE pg_catalog.format_type(number, NULL) END \
        FROM pg_catalog.unnest($1::text::pg_catalog.oid[]) WITH ORDINALITY AS type (number, place) ORDER BY place
        """, isCached: false)
}
