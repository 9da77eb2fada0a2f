import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Strata
import StrataHummingbird
import StrataLocalServer
import Synchronization
import Testing

/// The private PostgreSQL of this process's tests.
enum TestServer {
    static let shared = Result {
        try LocalServer.temporary(options: LocalServer.Options(settings: ["max_connections": "200"]))
    }
    private static let counter = Atomic<Int>(0)

    /// A container with tables of its own.
    static func container(
        of classes: [any PersistentModel.Type] = [Tour.self, GuidedTour.self, Stop.self],
        on server: LocalServer? = nil, observers: [any StatementObserver] = [],
        configure: (inout ModelConfiguration) -> Void = { _ in }
    ) async throws -> ModelContainer {
        var configuration = try configuration(on: server)
        configure(&configuration)
        return try await ModelContainer(
            for: Schema(classes), configurations: [configuration], observers: observers)
    }

    /// The place of tables that no other test has.
    static func configuration(on server: LocalServer? = nil) throws -> ModelConfiguration {
        let server = try server ?? shared.get()
        let number = counter.add(1, ordering: .relaxed).newValue
        return ModelConfiguration(url: try #require(URL(string: server.url)), postgresSchema: "tours_\(number)")
    }
}

/// Counts statements.
final class StatementCounter: StatementObserver {
    private let names = Mutex<[String]>([])

    func didComplete(_ statement: ObservedStatement) {
        names.withLock { $0.append(statement.name ?? statement.sql) }
    }

    /// The names since the last call.
    func taken() -> [String] {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }
}

/// Keeps what is logged.
final class LogBook: LogHandler, @unchecked Sendable {
    // `entries` has a lock; the rest is set before a logger is used, and copied by value with it.
    private let entries: EntryList
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    final class EntryList: Sendable {
        let lines = Mutex<[String]>([])
    }

    init(_ entries: EntryList) { self.entries = entries }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let text = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        entries.lines.withLock { $0.append("\(event.level) \(event.message) \(text)") }
    }
}

/// What a test talks to: an application on a real socket, and the container behind it.
struct TourServer {
    let client: TestClient
    let container: ModelContainer
    let statements: StatementCounter
    private let log: LogBook.EntryList

    var logged: [String] { log.lines.withLock { $0 } }

    init(
        _ client: TestClient, _ container: ModelContainer, _ statements: StatementCounter,
        _ log: LogBook.EntryList
    ) {
        self.client = client
        self.container = container
        self.statements = statements
        self.log = log
    }

    /// Asks, and gives status, headers and body.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], json: String? = nil
    ) async throws -> TestClient.Answer {
        var headers = headers
        if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await client.ask(method, path, headers, body: json.map { ByteBuffer(string: $0) })
    }

    /// Stores tours; returns the components of their paths.
    @discardableResult
    func store(_ tours: [(name: String, destination: String)]) async throws -> [String] {
        try await container.withContext { context in
            let made = tours.map { Tour($0.name, $0.destination) }
            for tour in made { context.insert(tour) }
            try await context.save()
            return made.map(\.persistentModelID.urlPathComponent)
        }
    }
}

/// Runs `body` with an application of these routes on a real socket, and a fresh store.
func withTourServer(
    prepare: @escaping @Sendable (inout ModelAccess, Request, BasicStrataRequestContext) async throws -> Void = {
        access, request, _ in access.author = request.headers[.init("X-User")!]
    },
    configure: (inout ModelConfiguration) -> Void = { _ in },
    on database: LocalServer? = nil, server: HTTPServerBuilder = .http1(patience: ClientPatience()),
    routes: (Router<BasicStrataRequestContext>, ModelContainer) -> Void = { router, _ in addTourRoutes(to: router) },
    _ body: @escaping @Sendable (TourServer) async throws -> Void
) async throws {
    let statements = StatementCounter()
    let container = try await TestServer.container(on: database, observers: [statements], configure: configure)
    let log = LogBook.EntryList()
    let router = Router(context: BasicStrataRequestContext.self)
    router.add(middleware: ModelMiddleware(container, preparing: prepare))
    routes(router, container)
    do {
        try await withApplication(
            { onPort in
                Application(
                    router: router, server: server,
                    configuration: ApplicationConfiguration(address: .hostname("localhost", port: 0)),
                    onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) },
                    logger: Logger(label: "test") { _ in LogBook(log) })
            },
            { client in
                _ = statements.taken()
                try await body(TourServer(client, container, statements, log))
            })
    } catch {
        await container.close()
        throw error
    }
    await container.close()
}

/// The routes that most tests ask.
func addTourRoutes(to router: Router<BasicStrataRequestContext>) {
    router.get("tours") { request, context in
        let place = try PagePlace(of: request, size: 2, maximumSize: 3)
        return try await context.read { models in
            let page = try await models.fetchPage(
                FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.name)]), at: place)
            return PageResponse(try await models.snapshots(of: page.objects, only: \.name, \.destination), of: page)
        }
    }
    router.get("tours/:tour") { _, context in
        let name = try context.parameters.require("tour")
        return try await context.read { models in
            try await show(try await models.model(Tour.self, named: name), in: models)
        }
    }
    router.post("tours") { request, context in
        let patch = try await request.patch(of: Tour.self, context)
        return try await context.write { models in
            let tour = try await models.insert(patch, allowing: \.name, \.destination, \.budget)
            try await models.save()
            let location = "/tours/\(tour.persistentModelID.urlPathComponent)"
            let snapshot = try await models.snapshots(of: [tour], only: \.name, \.destination, \.budget)[0]
            return try SnapshotResponse(snapshot, status: .created, headers: [.location: location])
        }
    }
    router.patch("tours/:tour") { request, context in
        let name = try context.parameters.require("tour")
        let patch = try await request.patch(of: Tour.self, context)
        return try await context.write { models in
            let tour = try await models.model(Tour.self, named: name)
            try request.requireMatch(
                of: try await models.snapshots(of: [tour], only: \.name, \.destination, \.budget)[0], patch)
            try await models.apply(
                patch, to: tour,
                allowing: .only(\.name, \.destination, \.budget).related(at: \.stops, .only(\.title)))
            try await models.save()
            return try await show(tour, in: models)
        }
    }
    router.delete("tours/:tour") { request, context in
        let name = try context.parameters.require("tour")
        return try await context.write { models in
            let tour = try await models.model(Tour.self, named: name)
            try request.requireMatch(
                of: try await models.snapshots(of: [tour], only: \.name, \.destination, \.budget)[0], isRequired: true)
            models.delete(tour)
            return HTTPResponse.Status.noContent
        }
    }
    router.get("careless") { _, context in
        try await context.read { models in
            try await models.fetch(FetchDescriptor<Tour>()).map { "\($0.name): \($0.stops.count)" }
        }
    }
}

nonisolated(nonsending) func show(_ tour: Tour, in models: ModelContext) async throws -> SnapshotResponse<Tour> {
    try SnapshotResponse(try await models.snapshots(of: [tour], only: \.name, \.destination, \.budget)[0])
}
