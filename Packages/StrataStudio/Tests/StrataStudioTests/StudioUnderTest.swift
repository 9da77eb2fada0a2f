import Foundation
import Strata
import StrataBrowsing
import StrataLocalServer
import StrataStudio
import Synchronization
import Testing

/// A studio on a real socket, and a store of tours on a private PostgreSQL behind it.
struct StudioUnderTest: Sendable {
    let container: ModelContainer
    let browser: StoreBrowser
    /// The link that the studio has printed.
    let link: String
    /// The PostgreSQL schema of the store.
    let schema: String
    let databaseURL: String
    /// Has the cookie, unless the test is about getting it.
    var client: StudioClient

    /// The path of a page of the store.
    func path(_ rest: String = "") -> String { "/s/\(schema)" + rest }

    /// Stores an object made by `make`, and returns its key.
    func store(_ make: @Sendable () -> Tour) async throws -> StoredKey {
        try await container.withContext { context in
            let tour = make()
            context.insert(tour)
            try await context.save()
            return try tour.key
        }
    }
}

extension StudioUnderTest {
    /// Runs statements as somebody else's program would.
    func run(_ statements: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "psql", databaseURL, "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--output", "/dev/null",
            "--command", statements,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

extension PersistentModel {
    /// The key as the tables have it.
    var key: StoredKey {
        get throws { try #require(StoredKey(String(persistentModelID.urlPathComponent.split(separator: ".")[1]))) }
    }
}

private enum TestServer {
    static let shared = Result {
        try LocalServer.temporary(options: LocalServer.Options(settings: ["max_connections": "200"]))
    }
    static let counter = Atomic<Int>(0)
}

/// Runs `body` with a studio of a fresh store.
///
/// - Parameter models: those of an application, which the studio is told; tours, which it is not, where there are none.
func withStudio(
    models: Schema? = nil, allowsEdits: Bool = false, migrations: String? = nil, enters: Bool = true,
    _ body: @escaping @Sendable (StudioUnderTest) async throws -> Void
) async throws {
    let server = try TestServer.shared.get()
    let schema = "studio_\(TestServer.counter.add(1, ordering: .relaxed).newValue)"
    let container = try await ModelContainer(
        for: models ?? Schema([Tour.self, CityTour.self, Stop.self, Guide.self]),
        configurations: [
            ModelConfiguration(url: try #require(URL(string: server.url)), postgresSchema: schema)
        ])
    // However busy the machine is.
    let browser = try StoreBrowser(
        url: server.url, models: models, in: schema, allowsEdits: allowsEdits, statementTimeout: .seconds(300))
    let (links, link) = AsyncStream<String>.makeStream()
    let studio = Studio(browser, migrations: migrations) { link.yield($0) }
    do {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await studio.run() }
            group.addTask {
                var iterator = links.makeAsyncIterator()
                let link = try #require(await iterator.next())
                let port = try #require(URLComponents(string: link)?.port)
                var client = StudioClient(port: port)
                if enters {
                    let path = try #require(URLComponents(string: link)?.path)
                    let cookie = try #require(try await client.get(path).header("set-cookie"))
                    client.cookie = String(cookie.prefix { $0 != ";" })
                }
                try await body(
                    StudioUnderTest(
                        container: container, browser: browser, link: link, schema: schema, databaseURL: server.url,
                        client: client))
            }
            // The studio ends with its task, the body with its last line.
            try await group.next()
            group.cancelAll()
        }
    } catch {
        await browser.close()
        await container.close()
        throw error
    }
    await browser.close()
    await container.close()
}
