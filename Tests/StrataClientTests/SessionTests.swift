import StrataTestSupport
import Testing

@testable import StrataClient

/// What holds for a connection from its beginning: the server's limits.
@Suite struct SessionTests {
    private func withLimits(
        _ limits: SessionLimits, preparedStatements: PreparedStatements = .named(),
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.limits = limits
            configuration.preparedStatements = preparedStatements
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            try await body(connection)
        }
    }

    private static let timeout = "SELECT current_setting('statement_timeout')"

    @Test func theServerKnowsTheLimitsOfASession() async throws {
        let limits = SessionLimits(statement: .milliseconds(1234), idleInTransaction: .milliseconds(4321))
        try await withLimits(limits) { connection in
            let statement = try await connection.column(Self.timeout, as: String.self)
            #expect(statement == ["1234ms"])
            let sql = "SELECT current_setting('idle_in_transaction_session_timeout')"
            let idle = try await connection.column(sql, as: String.self)
            #expect(idle == ["4321ms"])
        }
    }

    @Test func theServerEndsAStatementThatTakesLonger() async throws {
        try await withLimits(SessionLimits(statement: .milliseconds(50))) { connection in
            let error = await postgresError { try await connection.execute("SELECT pg_sleep(600)") }
            #expect(error?.code == .timeout && error?.sqlState == "57014")
            #expect(connection.isUsable)
        }
    }

    @Test func aCallsOwnTimeReplacesTheLimitForTheCallOnly() async throws {
        try await withLimits(SessionLimits(statement: .milliseconds(1234))) { connection in
            try await connection.withTransaction { connection in
                let within = try await connection.within(.seconds(600)) {
                    try await connection.column(Self.timeout, as: String.self)
                }
                #expect(within != ["1234ms"])
                let after = try await connection.column(Self.timeout, as: String.self)
                #expect(after == ["1234ms"])
            }
            let atRest = try await connection.column(Self.timeout, as: String.self)
            #expect(atRest == ["1234ms"])
        }
    }

    @Test func anOpenTransactionThatDoesNothingIsEnded() async throws {
        try await withLimits(SessionLimits(idleInTransaction: .milliseconds(50))) { connection in
            let error = await postgresError {
                try await connection.withTransaction { connection in
                    try await connection.execute("SELECT 1")
                    try await waitUntil { !connection.looksAlive() }
                    try await connection.execute("SELECT 1")
                }
            }
            #expect(error?.code == .connectionLost && error?.sqlState == "25P03")
        }
    }

    @Test(arguments: [
        (SessionLimits(statement: .zero), PreparedStatements.named(), "gives statement_timeout a time of 0.0 s"),
        (
            SessionLimits(idleInTransaction: .seconds(-1)), .named(),
            "gives idle_in_transaction_session_timeout a time of -1.0 s"
        ),
        (SessionLimits(statement: .seconds(1)), .unnamed, "ALTER ROLE … SET statement_timeout"),
    ])
    func limitsThatCannotBeKeptAreRefused(
        limits: SessionLimits, preparedStatements: PreparedStatements, says: String
    ) async throws {
        let error = await postgresError {
            try await withLimits(limits, preparedStatements: preparedStatements) { _ in }
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    /// From PostgreSQL 17 on the server keeps it; before, opening a connection says so.
    @Test func aLimitOfTransactionsNeedsANewServer() async throws {
        let limits = SessionLimits(transaction: .milliseconds(100))
        var version = 0
        try await withLimits(SessionLimits()) { version = $0.serverVersion }
        let error = await postgresError {
            try await withLimits(limits) { connection in
                try await connection.withTransaction { connection in
                    try await connection.execute("SELECT 1")
                    try await waitUntil { !connection.looksAlive() }
                    try await connection.execute("SELECT 1")
                }
            }
        }
        if version >= 17_00_00 {
            #expect(error?.sqlState == "25P04")
        } else {
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.message.contains("from version 17 on, and this server has \(version / 10_000)") == true)
        }
    }
}
