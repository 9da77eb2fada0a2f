import Foundation

@testable import StrataLocalServer

/// A directory that stands for a user's project.
struct Project {
    let url: URL
    let root: URL

    init(name: String = "p") throws {
        let base = "/tmp/strata-test-\(UInt32.random(in: 0 ... .max))"
        url = URL(fileURLWithPath: base).appendingPathComponent(name)
        root = url.appendingPathComponent(".strata/postgres")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Whether neither a guardian nor a server is alive, before the time is over.
    func isQuiet(within duration: Duration) -> Bool {
        eventually(within: duration) {
            !isHeld(root.appendingPathComponent("guardian.lock")) && !isHeld(root.appendingPathComponent("server.lock"))
        }
    }

    func remove() {
        // A guardian that is about to end may be tidying up in the same folder.
        _ = eventually(within: .seconds(10)) {
            (try? FileManager.default.removeItem(at: url.deletingLastPathComponent())) != nil
        }
    }
}

/// Whether somebody holds the lock file.
func isHeld(_ file: URL) -> Bool {
    (try? FileLock(opening: file.path))?.isHeldElsewhere ?? true
}

/// Looks again and again until the condition holds; false when the time is over.
func eventually(within duration: Duration, _ condition: () -> Bool) -> Bool {
    let deadline = Deadline(in: duration)
    while !condition() {
        guard deadline.pause() else { return false }
    }
    return true
}

/// Whether a client gets an answer, by PostgreSQL's own tool.
func acceptsConnections(_ server: LocalServer) throws -> Bool {
    try runClient("pg_isready", ["-t", "10"], server).status == 0
}

/// The value of a setting.
func show(_ setting: String, _ server: LocalServer) throws -> String {
    try answer("SHOW \(setting)", server)
}

/// What the server answers to a statement, or its refusal.
func answer(_ sql: String, _ server: LocalServer) throws -> String {
    try runClient("psql", ["-XAtc", sql], server).output.trimmingCharacters(in: .whitespacesAndNewlines)
}

private func runClient(
    _ program: String, _ arguments: [String], _ server: LocalServer
) throws -> ChildProcess.Outcome {
    let folder = try PostgresInstallation.find().binaries
    return try ChildProcess.run(
        ["\(folder)/\(program)", "-d", server.url] + arguments, until: Deadline(in: .seconds(30)))
}
