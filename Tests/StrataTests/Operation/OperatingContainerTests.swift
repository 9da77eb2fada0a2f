import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Synchronization
import Testing

/// What whoever runs a service needs of a container: figures, limits, passwords, a log of statements.
@Suite struct OperatingContainerTests {
    private final class Told: StatementObserver {
        private let statements = Mutex<[ObservedStatement]>([])
        @TaskLocal static var request = "none"
        func didComplete(_ statement: ObservedStatement) {
            let name = "\(Self.request): \(statement.name ?? statement.sql), \(statement.rows)"
            statements.withLock { $0.append(statement) }
            lines.withLock { $0.append(name) }
        }
        let lines = Mutex<[String]>([])
        var all: [ObservedStatement] { statements.withLock { $0 } }
    }

    private func withContainer(
        _ configuration: ModelConfiguration, logger: Logger = Logger(label: "test"),
        observers: [any StatementObserver] = [], _ body: (ModelContainer) async throws -> Void
    ) async throws {
        let container = try await ModelContainer(
            for: Schema([Graph.Parent.self]), configurations: [configuration], logger: logger, observers: observers)
        do {
            try await body(container)
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }

    private func withDatabase(_ body: (ModelConfiguration, TestDatabase) async throws -> Void) async throws {
        try await withTestDatabase { database in
            try await body(ModelConfiguration(url: try #require(database.foundationURL)), database)
        }
    }

    @Test func anObserverIsToldWithinTheTaskOfTheCall() async throws {
        try await withDatabase { configuration, _ in
            let told = Told()
            try await withContainer(configuration, observers: [told]) { container in
                let context = ModelContext(container)
                context.insert(Graph.Parent("A"))
                told.lines.withLock { $0.removeAll() }
                try await Told.$request.withValue("save 7") { try await context.save() }
                let isAllOfTheRequest = told.lines.withLock { lines in
                    !lines.isEmpty && lines.allSatisfy { $0.hasPrefix("save 7: ") }
                }
                #expect(isAllOfTheRequest)
                told.lines.withLock { $0.removeAll() }
                let found = try await Told.$request.withValue("fetch 8") {
                    try await ModelContext(container).fetch(FetchDescriptor<Graph.Parent>())
                }
                #expect(found.count == 1)
                #expect(told.lines.withLock { $0 } == ["fetch 8: fetch Parent, 1"])
                #expect(told.all.allSatisfy { $0.duration > .zero })
            }
        }
    }

    @Test func slowStatementsAreWarningsWithoutValues() async throws {
        try await withDatabase { configuration, _ in
            var configuration = configuration
            configuration.slowStatement = .nanoseconds(1)
            let log = LineLog(.warning)
            try await withContainer(configuration, logger: Logger(label: "test") { _ in log }) { container in
                let context = ModelContext(container)
                context.insert(Graph.Parent("a value of mine"))
                try await context.save()
            }
            #expect(log.lines.contains("slow statement"))
            #expect(!log.lines.contains { $0.contains("a value of mine") })
        }
    }

    @Test func statementsAreLoggedAtDebugOnly() async throws {
        try await withDatabase { configuration, _ in
            for (level, isLogged) in [(Logger.Level.debug, true), (.info, false)] {
                let log = LineLog(level)
                try await withContainer(configuration, logger: Logger(label: "test") { _ in log }) { container in
                    _ = try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Parent>())
                }
                #expect(log.lines.contains("statement") == isLogged)
            }
        }
    }

    @Test func thePoolSaysHowItIsUsed() async throws {
        try await withDatabase { configuration, _ in
            var configuration = configuration
            configuration.pool = ModelConfiguration.Pool(maximumConnections: 1)
            try await withContainer(configuration) { container in
                _ = try await container.ping()
                let atRest = try #require(container.poolUse.first)
                #expect(atRest.store == "default" && atRest.maximum == 1)
                #expect(atRest.open == 1 && atRest.inUse == 0 && atRest.waiting == 0)
                let context = ModelContext(container)
                var waiting: Task<Int, any Error>?
                try await context.transaction {
                    context.insert(Graph.Parent("A"))
                    try await context.save()
                    #expect(container.poolUse[0].inUse == 1)
                    waiting = Task {
                        try await ModelContext(container).fetchCount(FetchDescriptor<Graph.Parent>())
                    }
                    try await waitUntil { container.poolUse[0].waiting == 1 }
                }
                #expect(try await waiting?.value == 1)
                try await waitUntil { container.poolUse[0].inUse == 0 }
            }
        }
    }

    @Test(arguments: [false, true])
    func aPingIsARoundTripAndNamesTheStoreThatDoesNotAnswer(isBlocking: Bool) async throws {
        try await withModelStore(Graph.Parent.self) { store in
            func blocking() throws -> Duration { try store.container.ping() }
            func ping() async throws -> Duration {
                if isBlocking { try blocking() } else { try await store.container.ping() }
            }
            let time = try await ping()
            #expect(time > .zero)
            #expect(store.recorder.roundTrips == 1)
            await store.container.close()
            await #expect { _ = try await ping() } throws: { error in
                (error as? SwiftDataError)?.code == .storeFailure && "\(error)".contains("does not answer")
            }
        }
    }

    @Test func theServerKeepsAConfigurationsLimits() async throws {
        try await withDatabase { configuration, database in
            var configuration = configuration
            configuration.limits.statementTimeout = .seconds(2)
            try await withContainer(configuration) { container in
                let other = try await database.connect()
                defer { other.close() }
                var held = PostgresBatch()
                held.begin()
                held.add(PostgresStatement(PreparedSQL("LOCK TABLE parent IN ACCESS EXCLUSIVE MODE", isCached: false)))
                try await other.run(held)
                await #expect { try await ModelContext(container).fetch(FetchDescriptor<Graph.Parent>()) } throws: {
                    (($0 as? SwiftDataError)?.underlying as? PostgresError)?.code == .timeout
                }
            }
        }
    }

    /// A server that asks one role for its password.
    @Test func aConnectionIsOpenedWithThePasswordOfItsMoment() async throws {
        let rules = URL(fileURLWithPath: "/tmp/strata-hba-\(UUID().uuidString).conf")
        defer { try? FileManager.default.removeItem(at: rules) }
        try """
        local all rotated scram-sha-256
        host all rotated all scram-sha-256
        local all all trust
        host all all all trust
        """.write(to: rules, atomically: true, encoding: .utf8)
        chmod(rules.path, 0o644)
        let server = try TestServer.another(["hba_file": rules.path])
        defer { server.stop() }
        func administer(_ sql: String) async throws {
            let connection = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
            defer { connection.close() }
            try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
        }
        try await administer("CREATE ROLE rotated SUPERUSER LOGIN PASSWORD 'first secret'")
        var url = try #require(URLComponents(string: server.url))
        let others = (url.queryItems ?? []).filter { $0.name != "user" }
        url.queryItems = others + [URLQueryItem(name: "user", value: "rotated")]
        url.user = nil
        var configuration = ModelConfiguration(url: try #require(url.url))
        let current = Mutex("first secret")
        configuration.password = PasswordSource { current.withLock { $0 } }
        try await withContainer(configuration) { container in
            _ = try await container.ping()
            try await administer("ALTER ROLE rotated PASSWORD 'second secret'")
            current.withLock { $0 = "second secret" }
            try await withContainer(configuration) { other in _ = try await other.ping() }
            // What is open stays open.
            _ = try await container.ping()
        }
        current.withLock { $0 = "a wrong secret" }
        await #expect { try await withContainer(configuration) { _ in } } throws: { error in
            ((error as? SwiftDataError)?.underlying as? PostgresError)?.code == .authenticationFailed
                && !"\(error)".contains("secret") && !String(reflecting: error).contains("secret")
        }
        // A password file of libpq's needs no code.
        let passwords = URL(fileURLWithPath: "/tmp/strata-passwords-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: passwords) }
        try "*:*:*:rotated:second secret\n".write(to: passwords, atomically: true, encoding: .utf8)
        chmod(passwords.path, 0o600)
        url.queryItems?.append(URLQueryItem(name: "passfile", value: passwords.path))
        try await withContainer(ModelConfiguration(url: try #require(url.url))) { container in
            _ = try await container.ping()
        }
    }

    @Test func aPasswordThatCannotBeHadIsAnErrorWithItsReason() async throws {
        struct VaultIsClosed: Error {}
        try await withDatabase { configuration, _ in
            var configuration = configuration
            configuration.password = PasswordSource { throw VaultIsClosed() }
            await #expect { try await withContainer(configuration) { _ in } } throws: { error in
                let error = (error as? SwiftDataError)?.underlying as? PostgresError
                return error?.code == .authenticationFailed && error?.underlyingError is VaultIsClosed
            }
        }
    }
}
