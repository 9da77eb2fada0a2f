import Foundation
import StrataLocalServer

/// Runs the programs that come with a server, as the user the server runs as.
enum ServerProgram {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// `setpriv …` for root, nothing for everybody else: the programs of a cluster do not run as root.
    static var asServerUser: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    }

    /// Runs a program to its end; its standard output goes to a file if one is named.
    static func run(_ name: String, _ arguments: [String], of server: LocalServer, output: URL? = nil) async throws {
        let program = server.binaries.appendingPathComponent(name).path
        try await run(asServerUser + [program] + arguments, output: output)
    }

    private static func run(_ command: [String], output: URL?) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let output {
            try Data().write(to: output)
            process.standardOutput = try FileHandle(forWritingTo: output)
        } else {
            process.standardOutput = FileHandle.nullDevice
        }
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString).err")
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardError = try FileHandle(forWritingTo: errors)
        let status = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { done.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        guard status == 0 else {
            let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure(description: "\(command.joined(separator: " ")) ended with \(status): \(text)")
        }
    }
}
