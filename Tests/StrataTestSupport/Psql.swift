package import Foundation

/// PostgreSQL's own client, where it is installed.
package enum Psql {
    package static let program: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { URL(fileURLWithPath: $0).appendingPathComponent("psql") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Runs a script; returns what psql writes to its standard error.
    package static func run(text: String, on database: TestDatabase, closuresDone: Bool = false) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString).sql")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try run(file.path, on: database, closuresDone: closuresDone)
    }

    /// Runs a file; returns what psql writes to its standard error.
    package static func run(_ file: String, on database: TestDatabase, closuresDone: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, "-d", database.url]
        var environment = ProcessInfo.processInfo.environment
        environment["PGOPTIONS"] = "-c client_min_messages=warning" + (closuresDone ? " -c strata.closures=done" : "")
        process.environment = environment
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let data = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
