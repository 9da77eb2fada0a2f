import Foundation
package import StrataClient
import StrataLocalServer
import Synchronization

/// PgBouncer before the tests' private server, on a port of its own on 127.0.0.1.
///
/// `make test-pooler` fetches the program and names it in `STRATA_PGBOUNCER`; suites that need it are enabled if ``isThere``.
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
        /// How many prepared statements it follows for each client, from 1.21 on; `nil` for the program's own default.
        package var preparedStatements: Int?

        package init(_ mode: Mode = .transaction, serverConnections: Int = 5, preparedStatements: Int? = nil) {
            self.mode = mode
            self.serverConnections = serverConnections
            self.preparedStatements = preparedStatements
        }
    }

    private static let program = ProcessInfo.processInfo.environment["STRATA_PGBOUNCER"]

    /// Whether this run has the program, and a private server to put it before.
    package static let isThere = program != nil && (try? TestServer.shared())?.localServer != nil

    /// Whether it follows prepared statements from one server process to the next.
    package static var knowsPreparedStatements: Bool { version >= (1, 21) }

    package let port: Int
    private let server: PostgresConfiguration
    private let folder: URL
    private let process = Mutex<Process?>(nil)

    /// Starts it, and returns when it takes connections.
    package init(before configuration: PostgresConfiguration, _ settings: Settings = Settings()) async throws {
        server = configuration
        let free = try ProxySockets(serverPath: "")
        port = free.port
        free.stop()
        folder = FileManager.default.temporaryDirectory.appending(path: "strata-pgbouncer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.text(configuration, settings, port: port)
            .write(to: folder.appending(path: "pgbouncer.ini"), atomically: true, encoding: .utf8)
        // It may not run as root, and changes to another user then.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try await start()
    }

    /// Starts it again, on the same port.
    package func start() async throws {
        guard let program = Self.program else { throw CocoaError(.featureUnsupported) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [folder.appending(path: "pgbouncer.ini").path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process.withLock { $0 = process }
        try await waitUntil { if process.isRunning { await answers() } else { true } }
        guard process.isRunning else { throw CocoaError(.executableLoad) }
    }

    private func answers() async -> Bool {
        guard let connection = try? await PostgresConnection.connect(configuration(for: server)) else { return false }
        connection.close()
        return true
    }

    /// Ends it at once, and with it the connections of its clients.
    package func stop() {
        guard let process = process.withLock({ $0.take() }) else { return }
        process.terminate()
        process.waitUntilExit()
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
        ]
        if let count = settings.preparedStatements, knowsPreparedStatements {
            lines.append("max_prepared_statements = \(count)")
        }
        if geteuid() == 0 { lines.append("user = nobody") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The numbers in `PgBouncer 1.18.0`.
    private static let version: (Int, Int) = {
        guard let program else { return (0, 0) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--version"]
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return (0, 0) }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let numbers =
            text.prefix { $0 != "\n" }.split(separator: " ").last?.split(separator: ".").compactMap { Int($0) } ?? []
        return numbers.count > 1 ? (numbers[0], numbers[1]) : (0, 0)
    }()
}
