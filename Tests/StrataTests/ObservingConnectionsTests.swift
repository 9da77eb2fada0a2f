import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

@testable import StrataContext

/// Ways to a server on which notifications do not come, or come to more than one store.
@Suite struct ObservingConnectionsTests {
    private static let socketPath = (try? TestServer.shared())?.localServer.map {
        $0.socketDirectory.path + "/.s.PGSQL.5432"
    }

    private func configuration(_ proxy: PoolerProxy, _ database: TestDatabase) throws -> ModelConfiguration {
        let url = "postgres://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable&gssencmode=disable"
        var configuration = ModelConfiguration(url: try #require(URL(string: url)))
        configuration.preparedStatements = .unnamed
        return configuration
    }

    private func withContainer(
        _ configuration: ModelConfiguration, log: LineLog = LineLog(),
        _ body: @escaping @Sendable (ModelContainer) async throws -> Void
    ) async throws {
        let container = try await ModelContainer(
            opening: Chronicle.schema, configurations: [configuration], logger: Logger(label: "test") { _ in log },
            observer: nil)
        do {
            try await within(seconds: 60) { try await body(container) }
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }

    /// Another program writes, now and then, once the observers' connection is as far as it gets.
    private func expectFiveChanges(
        _ container: ModelContainer, _ database: TestDatabase, once isReady: @escaping @Sendable () -> Bool
    ) async throws {
        let changes = container.history(after: try await container.currentHistoryToken())
        let writer = Task {
            while !isReady() { try await Task.sleep(for: .milliseconds(20)) }
            for day in 0..<5 {
                try await Task.sleep(for: .milliseconds(100))
                try await database.execute("INSERT INTO visit (day) VALUES (\(day))")
            }
        }
        let seen = try await changes.first(5)
        #expect(seen.map(\.summary) == Array(repeating: "insert Visit", count: 5))
        try await writer.value
    }

    @Test(.enabled(if: socketPath != nil))
    func `behind a pooler in transaction mode observers look again and again, and the log says why`() async throws {
        try await withTestDatabase { database in
            try await withContainer(ModelConfiguration(url: try #require(database.foundationURL))) { _ in }
            let proxy = try PoolerProxy(socketPath: try #require(Self.socketPath))
            defer { proxy.stop() }
            let log = LineLog()
            try await withContainer(try configuration(proxy, database), log: log) { container in
                try await expectFiveChanges(container, database) {
                    log.lines.contains { $0.contains("notifications do not arrive") && $0.contains("directURL") }
                }
            }
        }
    }

    @Test(.enabled(if: socketPath != nil))
    func `with a direct URL beside the pooler's notifications arrive`() async throws {
        try await withTestDatabase { database in
            let direct = try #require(database.foundationURL)
            try await withContainer(ModelConfiguration(url: direct)) { _ in }
            let proxy = try PoolerProxy(socketPath: try #require(Self.socketPath))
            defer { proxy.stop() }
            var configuration = try configuration(proxy, database)
            configuration.directURL = direct
            // So seldom that only a notification can be what wakes.
            configuration.historyPollInterval = .seconds(600)
            let log = LineLog()
            try await withContainer(configuration, log: log) { container in
                try await expectFiveChanges(container, database) { container.stores[0].feed.isServing }
            }
            #expect(!log.lines.contains { $0.contains("notifications do not arrive") })
        }
    }

    @Test func `observers of two stores of one database share a connection, and each gets what is its own`()
        async throws
    {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            try await withContainer(ModelConfiguration(url: url)) { first in
                try await self.withContainer(ModelConfiguration(url: url, postgresSchema: "other")) { second in
                    #expect(first.stores[0].feed === second.stores[0].feed)
                    #expect(first.stores[0].historyChannel != second.stores[0].historyChannel)
                    var ones = first.history(after: try await first.currentHistoryToken()).makeAsyncIterator()
                    var others = second.history(after: try await second.currentHistoryToken()).makeAsyncIterator()
                    let writer = try await database.connect()
                    defer { writer.close() }
                    for sql in [
                        "BEGIN", "INSERT INTO public.visit (day) VALUES (1)",
                        "INSERT INTO other.visit (day) VALUES (2), (3)", "COMMIT",
                    ] {
                        try await run(sql, on: writer)
                    }
                    let (one, other) = (try await ones.next(), try await others.next())
                    #expect(one?.summary == "insert Visit" && other?.summary == "insert Visit, insert Visit")
                    #expect(one?.id == other?.id && one?.unknownEntities == [] && other?.unknownEntities == [])
                    for number in 2...3 {
                        try await run("INSERT INTO other.visit (day) VALUES (\(number)), (\(number))", on: writer)
                        try await run("INSERT INTO public.visit (day) VALUES (\(number))", on: writer)
                        let (one, other) = (try await ones.next(), try await others.next())
                        #expect(one?.summary == "insert Visit" && other?.summary == "insert Visit, insert Visit")
                    }
                }
            }
        }
    }
}

extension HistoryFeed {
    /// Whether everybody who observes has been told that the feed is there.
    fileprivate var isServing: Bool {
        state.withLock { !$0.subscribers.isEmpty && $0.subscribers.values.allSatisfy(\.isServed) }
    }
}
