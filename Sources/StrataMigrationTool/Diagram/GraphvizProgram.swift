import Foundation
import StrataMigrations

/// The `dot` program, where it is installed.
enum GraphvizProgram {
    /// - Throws: `MigrationError` with the code `usage` where there is no `dot`, or where it fails.
    static func svg(of dot: String, environment: [String: String]) throws -> Data {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let candidates = folders.map { "\($0)/dot" }
        guard let program = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw MigrationError(
                .usage, "SVG needs Graphviz, and no program dot is in PATH.",
                remedy: "install graphviz, or leave --svg out: Mermaid needs nothing")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-Tsvg"]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // A diagram is smaller than what dot reads before it writes; both ends never wait for each other.
        input.fileHandleForWriting.write(Data(dot.utf8))
        try input.fileHandleForWriting.close()
        let svg = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw MigrationError(.unexpected, "dot ended with \(process.terminationStatus).")
        }
        return svg
    }
}
