import Foundation

/// The program `StrataTestProcess`, running.
struct OtherProcess {
    private let process: Process

    /// - Parameter command: see `Tests/StrataTestProcess/Main.swift`.
    init(_ command: String, _ url: String, _ argument: String) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("StrataTestProcess")
        process.arguments = [command, url, argument]
        // Where the tests write, their reader waits for all that might write there: it would wait for a process that outlives its test.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for its end without blocking a thread of Swift's; returns its exit code.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [process] in
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }

    /// `kill -9`.
    func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = await end()
    }
}
