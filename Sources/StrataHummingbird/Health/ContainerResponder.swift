#if Hummingbird
public import Hummingbird
public import Logging
public import ServiceLifecycle
public import Strata
import Synchronization

/// Serves from the beginning, and models as soon as their container is open: a service that starts before its database is there, or before its
/// migrations are applied.
///
/// ```swift
/// let store = ContainerResponder(logger: logger) {
///     try await ModelContainer(
///         for: Schema(versionedSchema: Catalog.self), migrationPlan: CatalogPlan.self, migrations: .verify)
/// } routes: { container in
///     router(container)
/// }
/// let application = Application(
///     responder: store, server: .http1(patience: ClientPatience()), services: [store], logger: logger)
/// ```
/// Give it to the application twice: it answers, and as a service it opens the container and closes it when the last request has been
/// answered. Until it is open, `/health/live` is 200, so that nobody starts the process again, and everything else 503 with `Retry-After`,
/// `/health/ready` too: nobody is sent here. What opening throws is logged, and opening is tried again until it
/// succeeds: with `migrations: .verify`, when the migrations have been applied.
public final class ContainerResponder<Context: StrataRequestContext>: HTTPResponder, Service {
    private let liveness: String
    private let interval: Duration
    private let logger: Logger
    private let open: @Sendable () async throws -> ModelContainer
    private let responder: @Sendable (ModelContainer) -> any HTTPResponder<Context>
    private let opened = Mutex<(any HTTPResponder<Context>)?>(nil)

    /// A responder for a container that is not open yet.
    ///
    /// - Parameters:
    ///   - liveness: the path that is answered with 200 meanwhile; later it is a route, as of ``HealthRoutes``.
    ///   - interval: how long it waits before it tries to open the container again.
    ///   - logger: hears why it could not be opened, each time.
    ///   - open: opens the container.
    ///   - routes: makes the routes, once.
    public init(
        liveness: String = "/health/live", retryingEvery interval: Duration = .seconds(2), logger: Logger,
        opening open: @escaping @Sendable () async throws -> ModelContainer,
        routes: @escaping @Sendable (ModelContainer) -> Router<Context>
    ) {
        self.liveness = liveness
        self.interval = interval
        self.logger = logger
        self.open = open
        responder = { container in routes(container).buildResponder() }
    }

    /// What the routes answer, once there are any.
    public func respond(to request: Request, context: Context) async throws -> Response {
        if let responder = opened.withLock({ $0 }) {
            return try await responder.respond(to: request, context: context)
        }
        var answer =
            request.uri.path == liveness
            ? try context.responseEncoder.encode(Liveness(), from: request, context: context)
            : try Problem.notOpen.response(from: request, context: context)
        answer.headers[.cacheControl] = "no-store"
        return request.method == .head ? answer.createHeadResponse() : answer
    }

    /// Opens the container, and closes it at a graceful shutdown.
    public func run() async throws {
        guard let container = await openedContainer() else { return }
        // Made before the lock is taken: what routes do when they are made may take long, and requests are answered meanwhile.
        let made = responder(container)
        opened.withLock { $0 = made }
        // Cancelled or asked to end: what it does then is the same.
        try? await gracefulShutdown()
        await container.close()
    }

    /// The container; `nil` when the service ends before it could be opened.
    private func openedContainer() async -> ModelContainer? {
        try? await cancelWhenGracefulShutdown { [open, logger, interval] in
            while true {
                do { return try await open() } catch is CancellationError { throw CancellationError() } catch {
                    logger.error("The container cannot be opened yet", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: interval)
            }
        }
    }
}

extension Problem {
    fileprivate static let notOpen = Problem(
        .serviceUnavailable, detail: "The service is not ready yet. Nothing was changed.", retryAfter: .seconds(2))
}
#endif
