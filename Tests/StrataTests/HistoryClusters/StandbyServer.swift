import Foundation
import StrataClient
import StrataLocalServer
import StrataTestSupport

/// A hot standby of a private server: a base backup that follows it until it is promoted.
final class StandbyServer: Sendable {
    let directory: URL
    private let binaries: URL
    private let process = WatchedProcess(endingBy: .quit)

    /// Takes a base backup and starts it; returns when it answers.
    init(of primary: LocalServer) async throws {
        let folder = MemoryFolder.find(free: 1 << 30) ?? URL(fileURLWithPath: "/tmp", isDirectory: true)
        directory = folder.appendingPathComponent("strata-standby-\(UInt32.random(in: 0 ... .max))", isDirectory: true)
        binaries = primary.binaries
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        if geteuid() == 0 { chown(directory.path, 65534, 65534) }
        do {
            try await ServerProgram.run(
                "pg_basebackup", ["-D", data.path, "-R", "-X", "stream", "-c", "fast", "-N", "-d", primary.url],
                of: primary)
            try await start()
        } catch {
            stop()
            throw error
        }
    }

    private var data: URL { directory.appendingPathComponent("data") }
    private var log: URL { directory.appendingPathComponent("log") }

    /// The address of a database on the standby.
    func url(database: String) -> String {
        let host = directory.path.replacing("/", with: "%2F")
        return "postgresql:///\(database)?host=\(host)&user=postgres"
    }

    func configuration(database: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(url: url(database: database))
    }

    /// Makes it a primary of its own, on a new timeline.
    func promote() async throws {
        let connection = try await PostgresConnection.connect(try configuration(database: "postgres"))
        defer { connection.close() }
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL("SELECT pg_catalog.pg_promote(true, 60)", isCached: false))))
    }

    // MARK: Running

    /// Starts it again, with the data that it has.
    func start() async throws {
        try process.start(
            ServerProgram.asServerUser + [
                binaries.appendingPathComponent("postgres").path, "-D", data.path, "-c", "listen_addresses=",
                "-c", "unix_socket_directories=\(directory.path)", "-c", "port=5432", "-c", "hot_standby=on",
                "-c", "fsync=off", "-c", "hot_standby_feedback=on", "-c", "wal_retrieve_retry_interval=100ms",
            ], output: log.path)
        let configuration = try configuration(database: "postgres")
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                try await PostgresConnection.connect(configuration).close()
                return
            } catch {
                guard isRunning, .now < end else {
                    let text = try? String(contentsOf: log, encoding: .utf8)
                    throw ServerProgram.Failure(description: "the standby does not answer: \(error)\n\(text ?? "")")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    var isRunning: Bool { process.isRunning }

    /// Ends it as in a crash; ``start()`` starts it again.
    func crash() { process.end() }

    /// Ends it for good.
    func stop() {
        crash()
        try? FileManager.default.removeItem(at: directory)
    }
}
