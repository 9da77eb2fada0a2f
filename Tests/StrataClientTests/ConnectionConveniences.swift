import StrataClient

extension PostgresConnection {
    /// Runs one statement and decodes the first column of its rows.
    func column<Value: PostgresCodable>(
        _ sql: String, _ parameters: PostgresParameters = PostgresParameters(), as type: Value.Type = Value.self
    ) async throws -> [Value?] {
        var values: [Value?] = []
        var batch = PostgresBatch()
        batch.add(
            PostgresStatement(sql, parameters: parameters),
            onRow: { values.append(try $0.decodeIfPresent(0, as: type)) })
        try await run(batch)
        return values
    }

    func execute(_ statements: String...) async throws {
        for sql in statements { try await run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false)))) }
    }

    func executeBlocking(_ sql: String) throws {
        try run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }
}

/// The error that `body` throws, or nil.
func postgresError(_ body: () async throws -> Void) async -> PostgresError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}
