import Foundation
import Testing

/// What the compiler says about calls that do not exist (yet), or that left out what they may write. All snippets are one program, which
/// is type-checked once.
@Suite struct DiagnosticsTests {
    /// A call in an asynchronous function, and the beginning of an error that it gets.
    private static let table: [(call: String, diagnostic: String)] = [
        // Never "failed to produce diagnostic".
        ("try await context.update(5)", "missing argument label 'from:' in call"),
        (
            "try await context.insert(from: 5)",
            "instance method 'insert' requires that 'Int' conform to 'PersistentModel'"
        ),
        // Writing.
        (
            "try context.update(model: Trip.self, where: #Predicate { $0.name == \"x\" }) { $0.price = 3 }",
            "'update(model:where:includeSubclasses:_:)' is unavailable: name the changes: update(model:"
        ),
        (
            "try context.update(model: Trip.self, where: #Predicate { $0.name == \"x\" }, set: \\.price, to: 3)",
            "'update(model:where:includeSubclasses:set:to:)' is unavailable: name the changes: update(model:"
        ),
        ("try context.increment(\\.days, of: trip, by: 1)", "'increment(_:of:by:)' is unavailable: use update(model:"),
        (
            "context.insert(contentsOf: [trip])",
            "'insert(contentsOf:)' is unavailable: insert each object, save() writes"
        ),
        (
            "try await context.insert(into: Trip.self, \\.name, \\.price, rows: [(\"a\", \"b\")])",
            "cannot convert value of type 'String' to expected element type 'Double'"
        ),
        (
            "try context.copy(from: URL(filePath: \"x\"), into: Trip.self)",
            "'copy(from:into:)' is unavailable: use importCSV("
        ),
        // Reading.
        ("_ = try context.sum(of: \\Trip.price)", "'sum(of:where:)' is unavailable: use fetchSum("),
        ("_ = try context.average(of: \\Trip.price)", "'average(of:where:)' is unavailable: use fetchAverage("),
        (
            "_ = try context.fetch(trips, groupBy: \\.name)",
            "'fetch(_:groupBy:)' is unavailable: use fetch(descriptor, selecting: .key("
        ),
        (
            "_ = try context.fetch(trips, select: \\.name, \\.price)",
            "'fetch(_:select:_:)' is unavailable: use fetch(descriptor, selecting:"
        ),
        // Locks.
        ("try context.lock(trip)", "'lock' is unavailable: fetch it within a transaction"),
        ("_ = try context.fetch(trips, lock: .skipLocked)", "'fetch(_:lock:)' is unavailable: set descriptor.lock"),
        // What a patch may write has to be said.
        ("try context.apply(patch, to: trip)", "'apply(_:to:)' is unavailable: say what may be written: allowing:"),
        ("_ = try context.update(from: patch)", "'update(from:)' is unavailable: say what may be written: allowing:"),
        ("_ = try context.insert(patch)", "'insert' is unavailable: say what may be written: allowing:"),
    ]

    @Test func `the compiler says what to do instead`() throws {
        let errors = try Self.errors(of: Self.table.map(\.call))
        for (index, row) in Self.table.enumerated() {
            let own = errors[index] ?? []
            #expect(own.contains { $0.hasPrefix(row.diagnostic) }, "\(row.call): \(own)")
            #expect(!own.contains { $0.contains("failed to produce") }, "\(row.call): \(own)")
        }
    }

    /// The errors of each snippet, by its index.
    private static func errors(of calls: [String]) throws -> [Int: [String]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("diagnostics-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Snippets.swift")
        try (models + calls.enumerated().map { index, call in function(index, call) }.joined()).write(
            to: file, atomically: true, encoding: .utf8)
        let firstLine = models.split(separator: "\n", omittingEmptySubsequences: false).count
        var errors: [Int: [String]] = [:]
        for line in try typeCheck(file).split(separator: "\n") where line.hasPrefix(file.path) {
            let parts = line.dropFirst(file.path.count + 1).split(separator: ":", maxSplits: 3)
            guard parts.count == 4, parts[2] == " error", let number = Int(parts[0]) else { continue }
            // A snippet is on the second of three lines.
            errors[(number - firstLine) / 3, default: []].append(String(parts[3].dropFirst()))
        }
        return errors
    }

    private static let models = """
        import Strata
        import Foundation
        @Model final class Trip {
            var name: String
            var price: Double = 0
            var days: Int = 0
            init(name: String) { self.name = name }
        }

        """

    private static func function(_ index: Int, _ call: String) -> String {
        """
        func snippet\(index)(_ context: ModelContext, _ trip: Trip, _ trips: FetchDescriptor<Trip>, _ patch: ModelPatch<Trip>) async throws {
            \(call)
        }

        """
    }

    /// What the compiler prints, with the modules that these tests were built with.
    private static func typeCheck(_ file: URL) throws -> String {
        let repository = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        let headers = try run("pkg-config", ["--cflags-only-I", "libpq", "libcrypto"]).split { $0.isWhitespace }
        return try run(
            "swiftc",
            [
                "-typecheck", "-parse-as-library", "-swift-version", "6", "-module-name", "Snippets",
                "-diagnostic-style", "llvm", "-I", built + "/Modules",
                "-Xcc", "-fmodule-map-file=\(repository)/Sources/CLibPQ/module.modulemap",
                "-Xcc", "-fmodule-map-file=\(repository)/Sources/CLibCrypto/module.modulemap",
                "-load-plugin-executable", "\(built)/StrataMacros-tool#StrataMacros", file.path,
            ] + headers.flatMap { ["-Xcc", String($0)] })
    }

    private static func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
