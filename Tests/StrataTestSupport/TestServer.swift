import Foundation
package import StrataClient
package import StrataLocalServer

/// The PostgreSQL that the tests of this process use.
///
/// It is the server named by `DATABASE_URL` or the `PG*` variables, else a private one that ends with the process.
package struct TestServer: Sendable {
    /// The database from which others are created and dropped.
    package let maintenance: PostgresConfiguration
    /// The private server; nil when the environment names one. Only a private server can be restarted by a test.
    package let localServer: LocalServer?

    /// The server of this process, started at the first call.
    package static func shared() throws -> TestServer {
        try sharedResult.get()
    }

    private static let sharedResult: Result<TestServer, any Error> = Result { try start() }

    private static func end() {
        guard let server = try? shared() else { return }
        TestDatabase.dropAllThatWereLeft(on: server)
        server.localServer?.stop()
    }

    private static func start() throws -> TestServer {
        // A private server ends with the process anyway; this makes it end before the process does.
        atexit { TestServer.end() }
        if let named = try PostgresConfiguration.environment() {
            return TestServer(maintenance: named, localServer: nil)
        }
        // Tests run side by side, each with connections of its own.
        let server = try LocalServer.temporary(options: .init(settings: ["max_connections": "300"]))
        return TestServer(maintenance: try PostgresConfiguration(url: server.url), localServer: server)
    }

    /// How to reach another database on this server.
    package func configuration(database: String) -> PostgresConfiguration {
        var configuration = maintenance
        configuration.database = database
        return configuration
    }

    /// Runs one statement in the maintenance database, on a connection of its own.
    package func run(_ sql: String) async throws {
        let connection = try await PostgresConnection.connect(maintenance)
        defer { connection.close() }
        try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }

    /// The same, blocking the thread.
    func runBlocking(_ sql: String) throws {
        let connection = try PostgresConnection.connect(maintenance)
        defer { connection.close() }
        try connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }
}
