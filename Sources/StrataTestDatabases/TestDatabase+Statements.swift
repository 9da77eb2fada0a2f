package import StrataClient

extension TestDatabase {
    /// Runs SQL statements, one after the other, in one session.
    package func execute(_ statements: String...) async throws { try await execute(statements) }

    /// The same for a list of statements.
    package func execute(_ statements: [String]) async throws {
        // What a session was set to would hold for whoever uses it next.
        let isKept = !statements.contains { $0.hasPrefix("SET ") }
        try await onSession(keeping: isKept) { session in
            for sql in statements {
                try await session.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
            }
        }
    }

    /// The first column of each row, as text.
    package func texts(_ sql: String) async throws -> [String] {
        try await onSession { session in
            var texts: [String] = []
            let statement = PostgresStatement(PreparedSQL(sql, isCached: false))
            try await session.run(PostgresBatch(statement) { texts.append(try $0.decode(0, as: String.self)) })
            return texts
        }
    }

    /// Runs `body` with a session that is kept for the next such call, because starting a process costs more than most statements.
    /// Another call at the same time gets a session of its own, and none is kept after an error.
    package func onSession<Result>(
        keeping isKept: Bool = true, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let session =
            if let kept = await takeLivingSession() { kept } else { try await connect() }
        do {
            let result = try await body(session)
            if !isKept || !keep(session) { session.close() }
            return result
        } catch {
            session.close()
            throw error
        }
    }

    /// Tests end the sessions of their databases: the kept one is asked for an answer first.
    private func takeLivingSession() async -> PostgresConnection? {
        guard let session = takeSession() else { return nil }
        do {
            try await session.run(PostgresBatch(PostgresStatement(PreparedSQL("SELECT", isCached: false))))
            return session
        } catch {
            session.close()
            return nil
        }
    }
}
