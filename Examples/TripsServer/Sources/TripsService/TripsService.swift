public import Hummingbird
public import Logging
import SampleTripsModels
public import Strata
import StrataHummingbird
import WorkQueue

/// A small backend: accounts, trips of two kinds, a search, a report, photos, jobs, and a page that follows changes.
public enum TripsService {
    /// The container of its models.
    public static func open(
        _ configuration: ModelConfiguration, observers: [any StatementObserver] = []
    ) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema([
                Trip.self, BusinessTrip.self, PersonalTrip.self, Account.self, Photo.self, Job.self,
            ]), configurations: [configuration], observers: observers)
    }

    /// The application, on an address.
    public static func application(
        _ container: ModelContainer, configuration: ApplicationConfiguration = ApplicationConfiguration(),
        logger: Logger = Logger(label: "trips"),
        onPort: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: router(container),
            server: .http1(patience: ClientPatience()),
            configuration: configuration, services: [Reminders(container, logger)],
            onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) }, logger: logger)
    }

    static func router(_ container: ModelContainer) -> Router<BasicStrataRequestContext> {
        let router = Router(context: BasicStrataRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addRoutes(HealthRoutes(container).endpoints, atPath: "health")
        router.add(
            middleware: ModelMiddleware(container) { access, request, _ in
                access.timeout = .seconds(5)
                guard let token = request.bearerToken else { return }
                access.author = try await container.read { models in
                    models.timeout = .seconds(5)
                    return try await Account.name(byToken: token, in: models)
                }
            })
        addPage(to: router)
        addDescription(to: router)
        addAccounts(to: router)
        addTrips(to: router)
        addPhotos(to: router)
        addQuestions(to: router)
        addChanges(to: router, container)
        return router
    }
}
