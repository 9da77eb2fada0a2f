import Foundation
import Logging
import OperatedService
import Strata
import StrataLocalServer
import Testing

/// What the article "Running a service" has besides Swift is true too: its SQL runs, and its lines of a manifest are those of this package.
@Suite struct RunningAServiceTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private func article() throws -> String {
        let path = "../../Sources/Strata/Strata.docc/RunningAService.md"
        return try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
    }

    /// The blocks of a language; of the empty one, those without.
    private func blocks(_ language: String) throws -> [String] {
        try article().components(separatedBy: "\n```").enumerated().compactMap { number, text in
            // Fences open and close in turn: what is between an opening and a closing one is a block.
            guard number % 2 == 1, text.hasPrefix(language + "\n") else { return nil }
            return String(text.dropFirst(language.count + 1))
        }
    }

    @Test func theSQLRuns() async throws {
        let server = try LocalServer.temporary()
        defer { server.stop() }
        let container = try await ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: try #require(URL(string: server.url))))
        let context = ModelContext(container)
        try await context.execute("CREATE ROLE app LOGIN")
        let blocks = try blocks("sql")
        #expect(!blocks.isEmpty)
        for block in blocks { try await context.execute(SQLStatement("\(raw: block)")) }
        let settings = try await context.fetch(
            String.self, sql: "SELECT unnest(rolconfig) FROM pg_roles WHERE rolname = 'app'")
        #expect(settings == ["statement_timeout=30s"])
        await container.close()
    }

    @Test func theLinesOfAManifestAreThoseOfThisPackage() throws {
        let manifest = try String(contentsOf: Self.package.appendingPathComponent("Package.swift"), encoding: .utf8)
        let blocks = try blocks("").filter { $0.contains(".product(") }
        #expect(!blocks.isEmpty)
        for line in blocks.joined(separator: "\n").split(separator: "\n") where line.contains(".product(") {
            #expect(manifest.contains(line.trimmingCharacters(in: .whitespaces)))
        }
        for trait in ["Service", "Metrics", "Tracing"] { #expect(manifest.contains("\"\(trait)\"")) }
    }

    /// An export may be larger than a request, and its statements are in the log of who has asked for it.
    @Test func anExportHasLimitsAndALogOfItsOwn() async throws {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.limits.rows = 1
        let container = try await ModelContainer(
            for: Trip.self, DestinationCount.self, configurations: configuration)
        let context = ModelContext(container)
        for destination in ["Lyon", "Metz"] { context.insert(Trip(destination: destination)) }
        try await context.save()
        await #expect(throws: SwiftDataError.rowLimitExceeded) {
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
        }
        let found = try await exportedDestinations(of: container, logger: Logger(label: "export"))
        #expect(found.sorted() == ["Lyon", "Metz"])
        await container.close()
    }
}
