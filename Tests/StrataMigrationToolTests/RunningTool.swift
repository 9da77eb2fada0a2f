import Foundation

/// The program `SampleTripsMigrations` while it runs. The value kills it when it goes.
final class RunningTool {
    private let process = Process()
    private let files: [URL]

    init(_ arguments: String..., directory: URL) throws {
        files = try ["output", "errors"].map { name in
            let file = directory.appending(path: "\(name)-\(UUID().uuidString).txt")
            try Data().write(to: file)
            return file
        }
        process.executableURL = SampleTripsProcess.program
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
    }

    deinit { kill() }

    var output: String { (try? String(contentsOf: files[0], encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOf: files[1], encoding: .utf8)) ?? "" }

    /// Waits until it has written this; the time limit of the test ends a wait in vain.
    func wait(for text: String) async throws {
        while !output.contains(text) {
            guard process.isRunning else { throw Ended(text: "ended before it wrote “\(text)”: \(output)\(errors)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits for its end and returns its exit code.
    func finish() async throws -> Int32 {
        while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        return process.terminationStatus
    }

    /// Ends it at once and without a word, as a machine that loses its power does.
    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    struct Ended: Error {
        var text: String
    }
}
