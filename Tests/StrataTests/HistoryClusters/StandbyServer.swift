import Foundation
import StrataClient
import StrataLocalServer

/// A hot standby of a private server: a base backup that follows it until it is promoted.
final class StandbyServer {
    let directory: URL
    private let process = Process()
    /// The shell ends the server when this is closed, also by the end of the tests' process.
    private let lifeline = Pipe()

    /// Takes a base backup and starts it; returns when it answers.
    init(of primary: LocalServer) async throws {
        directory = URL(fileURLWithPath: "/tmp/strata-standby-\(UInt32.random(in: 0 ... .max))", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        if geteuid() == 0 { chown(directory.path, 65534, 65534) }
        let data = directory.appendingPathComponent("data").path
        try await ServerProgram.run(
            "pg_basebackup", ["-D", data, "-R", "-X", "stream", "-c", "fast", "-N", "-d", primary.url], of: primary)
        let postgres =
            ServerProgram.asServerUser + [
                primary.binaries.appendingPathComponent("postgres").path, "-D", data, "-c", "listen_addresses=",
                "-c", "unix_socket_directories=\(directory.path)", "-c", "port=5432", "-c", "hot_standby=on",
                "-c", "fsync=off", "-c", "hot_standby_feedback=on",
            ]
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            [
                "-c",
                #"log=$1; shift; "$@" >"$log" 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server"#,
                "sh",
                directory.appendingPathComponent("log").path,
            ] + postgres
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await waitUntilReady()
    }

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

    func stop() {
        try? lifeline.fileHandleForWriting.close()
        // Another program that was started meanwhile may hold the other end: then the server is told itself.
        let end = ContinuousClock.now + .seconds(20)
        while process.isRunning, .now < end { usleep(10_000) }
        if process.isRunning {
            if let text = try? String(
                contentsOf: directory.appendingPathComponent("data/postmaster.pid"), encoding: .utf8),
                let server = text.split(separator: "\n").first.flatMap({ pid_t($0) })
            {
                kill(server, SIGQUIT)
            }
            kill(process.processIdentifier, SIGKILL)
        }
        try? FileManager.default.removeItem(at: directory)
    }

    private func waitUntilReady() async throws {
        let configuration = try configuration(database: "postgres")
        for attempt in 1... {
            do {
                try await PostgresConnection.connect(configuration).close()
                return
            } catch {
                guard process.isRunning, attempt < 600 else {
                    let log = try? String(contentsOf: directory.appendingPathComponent("log"), encoding: .utf8)
                    throw ServerProgram.Failure(description: "the standby does not answer: \(error)\n\(log ?? "")")
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
