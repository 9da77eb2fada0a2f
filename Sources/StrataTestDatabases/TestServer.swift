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
    /// Databases are made and dropped on connections that stay: a connection costs as much as half a database.
    private let connections: PostgresPool

    private init(maintenance: PostgresConfiguration, localServer: LocalServer?) {
        self.maintenance = maintenance
        self.localServer = localServer
        connections = PostgresPool(
            configuration: maintenance,
            options: PostgresPoolOptions(maximumConnections: 4, acquireTimeout: .seconds(300)))
    }

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
        let server = try LocalServer.temporary(options: .init(settings: settings, directory: directory))
        return TestServer(maintenance: try PostgresConfiguration(url: server.url), localServer: server)
    }

    /// Tests run side by side, each with connections of its own. A suite writes gigabytes of log that nobody reads: the
    /// files are used again soon. Nothing is vacuumed behind a test's back: databases live for less than a second, and the launcher would
    /// start a process for each, 2,200 in a suite of 3,100 databases.
    private static let settings = ["autovacuum": "off", "max_connections": "300", "max_wal_size": "256MB"]

    /// Where private servers of tests have their files: in memory if there is room for a suite's databases, templates and log,
    /// else in the temporary folder (nil). A third of a suite's time would be the kernel's, making files on a disk.
    private static let directory = MemoryFolder.find(free: 3 << 30)

    /// A server for one test, which may stop it or needs other settings; the test stops it at last.
    package static func another(_ settings: [String: String] = [:]) throws -> LocalServer {
        guard let server = try shared().localServer else {
            return try LocalServer.temporary(options: .init(settings: settings, directory: directory))
        }
        return try server.another(settings: settings, directory: directory)
    }

    /// How to reach another database on this server.
    package func configuration(database: String) -> PostgresConfiguration {
        var configuration = maintenance
        configuration.database = database
        return configuration
    }

    /// Runs one statement in the maintenance database.
    package func run(_ sql: String) async throws {
        try await connections.withConnection(for: "maintenance") { connection in
            try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
        }
    }

    /// The same, blocking the thread, on a connection of its own.
    func runBlocking(_ sql: String, onRow: ((PostgresRow) throws -> Void)? = nil) throws {
        let connection = try PostgresConnection.connect(maintenance)
        defer { connection.close() }
        try connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false)), onRow: onRow))
    }
}
