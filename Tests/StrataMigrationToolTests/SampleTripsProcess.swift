import Foundation

/// The program `SampleTripsMigrations`, run as a process on the files of the repository.
struct SampleTripsProcess {
    var exitCode: Int32
    var output: String
    var errors: String

    /// Where the tests are built, everything else is.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("SampleTripsMigrations")

    /// The folder of the package.
    static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs it to its end; blocks meanwhile.
    init(_ arguments: [String], directory: URL = Self.directory, environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let files = try (0..<2).map { _ in
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString).txt")
            try Data().write(to: url)
            return url
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        exitCode = process.terminationStatus
        output = try String(contentsOf: files[0], encoding: .utf8)
        errors = try String(contentsOf: files[1], encoding: .utf8)
    }

    /// The same without blocking a thread of Swift's.
    static func run(
        _ arguments: String..., directory: URL = Self.directory, environment: [String: String] = [:]
    ) async throws -> SampleTripsProcess {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try SampleTripsProcess(arguments, directory: directory, environment: environment)
                    })
            }
        }
    }
}
