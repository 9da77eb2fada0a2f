import Foundation
package import StrataClient
import StrataLocalServer

/// PgBouncer before the tests' private server, on a port of its own on 127.0.0.1.
///
/// `make test-pooler` fetches the program and names it in `STRATA_PGBOUNCER`; suites that need it are enabled if ``isThere``. It ends with
/// the tests' process, also when that is killed.
package final class PgBouncer: ServerProxy, Sendable {
    /// What PgBouncer calls `pool_mode`: how long a client keeps its connection to the server.
    package enum Mode: String, Sendable {
        case session, transaction, statement
    }

    /// How a test wants it.
    package struct Settings: Sendable {
        package var mode: Mode
        /// Connections to the server for each database.
        package var serverConnections: Int
        /// How many prepared statements it follows for each client, 0 for none. Before 1.21 it follows none.
        package var preparedStatements: Int

        package init(_ mode: Mode = .transaction, serverConnections: Int = 5, preparedStatements: Int = 0) {
            self.mode = mode
            self.serverConnections = serverConnections
            self.preparedStatements = preparedStatements
        }
    }

    /// It did not start; with what it has written.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let program = ProcessInfo.processInfo.environment["STRATA_PGBOUNCER"]

    /// Whether this run has the program, and a private server to put it before.
    package static let isThere = program != nil && (try? TestServer.shared())?.localServer != nil

    /// Whether it follows prepared statements from one server process to the next.
    package static var knowsPreparedStatements: Bool { version >= (1, 21) }

    package let port: Int
    private let server: PostgresConfiguration
    private let folder: URL
    private let process = WatchedProcess(endingBy: .kill)

    /// Starts it, and returns when it takes connections.
    package init(before configuration: PostgresConfiguration, _ settings: Settings = Settings()) async throws {
        server = configuration
        let free = try ProxySockets(serverPath: "")
        port = free.port
        free.stop()
        folder = FileManager.default.temporaryDirectory.appending(path: "strata-pgbouncer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // It may not run as root, and changes to another user then, who reads this too.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try Self.text(configuration, settings, port: port)
            .write(to: folder.appending(path: "pgbouncer.ini"), atomically: true, encoding: .utf8)
        try await start()
    }

    /// Starts it again, on the same port.
    package func start() async throws {
        guard let program = Self.program else { throw Failure(description: "STRATA_PGBOUNCER names no program") }
        try process.start([program, folder.appending(path: "pgbouncer.ini").path], output: log)
        do {
            try await waitUntil {
                guard process.isRunning else { throw Failure(description: "PgBouncer ended: \(logText)") }
                return await answers()
            }
        } catch {
            stop()
            throw error
        }
    }

    private var log: String { folder.appending(path: "log").path }
    private var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "(no log)" }

    private func answers() async -> Bool {
        var configuration = configuration(for: server)
        configuration.options["connect_timeout"] = "5"
        guard let connection = try? await PostgresConnection.connect(configuration) else { return false }
        connection.close()
        return true
    }

    /// Ends it at once, and with it the connections of its clients.
    package func stop() {
        process.end()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func text(_ server: PostgresConfiguration, _ settings: Settings, port: Int) throws -> String {
        let socket = URL(filePath: try socketPath(of: server)).deletingLastPathComponent().path
        var lines = [
            "[databases]",
            "* = host=\(socket) port=\(server.port ?? 5432) user=\(server.user ?? "postgres")",
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            "listen_port = \(port)",
            "unix_socket_dir =",
            "auth_type = any",
            "pool_mode = \(settings.mode.rawValue)",
            "default_pool_size = \(settings.serverConnections)",
            "max_client_conn = 200",
            // Nobody waits for longer than a test does.
            "server_connect_timeout = 5",
            "server_login_retry = 1",
            "query_wait_timeout = 60",
        ]
        if knowsPreparedStatements { lines.append("max_prepared_statements = \(settings.preparedStatements)") }
        if geteuid() == 0 { lines.append("user = nobody") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The numbers in `PgBouncer 1.18.0`.
    private static let version: (Int, Int) = {
        guard let program,
            let text = try? ChildProcess.run([program, "--version"], until: Deadline(in: .seconds(10))).output
        else { return (0, 0) }
        let numbers =
            text.prefix { $0 != "\n" }.split(separator: " ").last?.split(separator: ".").compactMap { Int($0) } ?? []
        return numbers.count > 1 ? (numbers[0], numbers[1]) : (0, 0)
    }()
}
