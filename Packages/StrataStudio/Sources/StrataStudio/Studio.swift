import HTTPTypes
import Hummingbird
public import Logging
public import ServiceLifecycle
public import StrataBrowsing
import StrataHummingbird

/// A window into a database, in a browser on the same machine: classes and objects, their history, the schema as a picture, migrations,
/// and what the server does now.
///
/// ```swift
/// let browser = try StoreBrowser(url: "postgres://localhost/trips")
/// let studio = Studio(browser) { print($0) }
/// try await studio.run()
/// ```
/// It listens on 127.0.0.1 only. The link that `onStart` gets opens it, once; whoever opened it has a cookie until the studio ends. It
/// needs no compiled models: the database describes itself. As a service of swift-service-lifecycle it runs beside others, and ends at a
/// graceful shutdown.
public struct Studio: Service {
    private let browser: StoreBrowser
    private let migrations: String?
    private let port: Int
    private let logger: Logger
    private let onStart: @Sendable (String) -> Void

    /// A studio of a browser's database.
    ///
    /// - Parameters:
    ///   - migrations: the folder of migration files, to show what of them is pending.
    ///   - port: where it listens; 0 for any that is free.
    ///   - logger: hears of what failed, without values.
    ///   - onStart: gets the link.
    public init(
        _ browser: StoreBrowser, migrations: String? = nil, port: Int = 0,
        logger: Logger = Logger(label: "strata.studio"), onStart: @escaping @Sendable (String) -> Void
    ) {
        self.browser = browser
        self.migrations = migrations
        self.port = port
        self.logger = logger
        self.onStart = onStart
    }

    /// Serves pages until the task is cancelled or the service shut down. Throws where the port is taken.
    public func run() async throws {
        let token = AccessToken()
        let bound = BoundPort()
        let gate = Gate(token: token, port: bound)
        let pages = StudioPages(browser: browser, migrations: migrations, logger: logger)
        let onStart = onStart
        let application = Application(
            responder: CallbackResponder { (request: Request, context: BasicRequestContext) in
                await gate.answer(request) { await pages.answer($0, context) }
            },
            server: .http1(patience: ClientPatience()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                bound.number = channel.localAddress?.port ?? 0
                onStart("http://127.0.0.1:\(bound.number)/enter/\(token.invitation)")
            }, logger: logger)
        try await application.run()
    }
}
