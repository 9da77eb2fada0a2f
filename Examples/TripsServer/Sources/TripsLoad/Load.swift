import Foundation

/// What wrk has found of one route.
struct Load {
    let requestsPerSecond: Double
    let p99: String
    let failures: String?

    /// Asks for a URL with some connections at the same time.
    static func run(_ url: String, script: URL?, connections: Int, seconds: Int) throws -> Load {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/wrk")
        process.arguments =
            ["--latency", "-t1", "-c\(connections)", "-d\(seconds)s"] + (script.map { ["-s", $0.path] } ?? []) + [url]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        func word(after label: String) -> String? {
            text.components(separatedBy: label).dropFirst().first?.split(whereSeparator: \.isWhitespace).first.map(
                String.init)
        }
        return Load(
            requestsPerSecond: word(after: "Requests/sec:").flatMap(Double.init) ?? 0,
            // Three spaces: a deviation may end with 99 % too.
            p99: word(after: "   99%") ?? "?", failures: word(after: "Non-2xx or 3xx responses:"))
    }
}
