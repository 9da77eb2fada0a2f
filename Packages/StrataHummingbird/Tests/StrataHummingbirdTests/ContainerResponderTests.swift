import HTTPTypes
import Hummingbird
import Logging
import Strata
import StrataHummingbird
import Testing

@Suite(.timeLimit(.minutes(1))) struct ContainerResponderTests {
    @Test func aServiceIsAliveAndNotReadyUntilItsMigrationsAreApplied() async throws {
        let configuration = try TestServer.configuration()
        let log = LogBook.EntryList()
        let logger = Logger(label: "test") { _ in LogBook(log) }
        let store = ContainerResponder<BasicStrataRequestContext>(
            retryingEvery: .milliseconds(50), logger: logger
        ) {
            try await ToursPlan.container(configuration, .verify)
        } routes: { container in
            let router = Router(context: BasicStrataRequestContext.self)
            router.addRoutes(HealthRoutes(container).endpoints, atPath: "health")
            router.add(middleware: ModelMiddleware(container))
            addTourRoutes(to: router)
            return router
        }
        try await withApplication(
            { onPort in
                Application(
                    responder: store, server: .http1(patience: ClientPatience()),
                    configuration: ApplicationConfiguration(address: .hostname("localhost", port: 0)),
                    services: [store], onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) },
                    logger: logger)
            },
            { client in
                #expect(try await client.ask(.get, "/health/live").body == #"{"status":"live"}"#)
                #expect(try await client.ask(.head, "/health/live").status == 200)
                for path in ["/health/ready", "/tours"] {
                    let refused = try await client.ask(.get, path)
                    #expect(refused.status == 503, "\(path)")
                    #expect(refused.headers[.retryAfter] == "2")
                    #expect(refused.headers[.cacheControl] == "no-store")
                    #expect(refused.headers[.contentType] == "application/problem+json")
                }
                while !log.lines.withLock({ lines in
                    lines.contains { $0.hasPrefix("error The container cannot be opened yet") }
                }) {
                    try await Task.sleep(for: .milliseconds(10))
                }

                try await ToursPlan.container(configuration, .apply).close()
                while try await client.ask(.get, "/health/ready").status != 200 {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(try await client.ask(.get, "/tours").status == 200)
            })
    }

    @Test func aServiceThatIsNeverReadyEnds() async throws {
        let store = ContainerResponder<BasicStrataRequestContext>(logger: Logger(label: "test")) {
            throw CannotOpen()
        } routes: { _ in
            Router(context: BasicStrataRequestContext.self)
        }
        try await withApplication(
            { onPort in
                Application(
                    responder: store, configuration: ApplicationConfiguration(address: .hostname("localhost", port: 0)),
                    services: [store], onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) })
            },
            { (client: TestClient) async throws -> Void in
                #expect(try await client.ask(.get, "/health/ready").status == 503)
            })
    }
}

private struct CannotOpen: Error {}

private enum ToursV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Tour.self, GuidedTour.self, Stop.self] }
}

private enum ToursPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ToursV1.self] }
    static var stages: [MigrationStage] { [] }

    static func container(
        _ configuration: ModelConfiguration, _ policy: MigrationPolicy
    ) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema(versionedSchema: ToursV1.self), migrationPlan: ToursPlan.self, migrations: policy,
            configurations: [configuration])
    }
}
