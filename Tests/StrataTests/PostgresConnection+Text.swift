import StrataClient

/// Statements as text, for sessions beside those of a container.
extension PostgresConnection {
    /// Carries out statements one after the other.
    func run(_ statements: String...) async throws {
        for text in statements { try await run(Self.batch(text)) }
    }

    /// The same; blocks this thread.
    func run(_ statements: String...) throws {
        for text in statements { try run(Self.batch(text)) }
    }

    private static func batch(_ text: String) -> PostgresBatch {
        PostgresBatch(PostgresStatement(PreparedSQL(text, isCached: false)))
    }
}
