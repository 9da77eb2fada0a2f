import Foundation

/// A repository with one branch, `ours`, that goes when the value goes.
final class GitRepository {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)").path

    static let isAvailable = (try? run(["--version"])) == true

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = try git("init", "-q", "-b", "ours")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Whether git ends without an error.
    func git(_ arguments: String...) throws -> Bool {
        try Self.run(["-C", path, "-c", "user.name=Test", "-c", "user.email=test@example.com"] + arguments)
    }

    /// All that is there.
    func commit() throws -> Bool { try git("add", "-A") && git("commit", "-q", "-m", "files") }

    private static func run(_ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
