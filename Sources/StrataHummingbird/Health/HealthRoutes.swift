#if Hummingbird
import Foundation
import HTTPTypes
public import Hummingbird
public import Strata

/// The routes that a load balancer or Kubernetes asks: `live` and `ready`.
///
/// ```swift
/// router.addRoutes(HealthRoutes(container).endpoints, atPath: "health")
/// ```
/// `health/live` is 200 as long as the process answers: a database that is away is no reason to start the process again.
/// `health/ready` is 200 with the use of the pools and the state of the consumers when all databases answer and their tables fit the
/// models, and no consumer is further behind than it may, otherwise 503 with `Retry-After`; the log says why. Round trips as `ModelContainer.readiness(of:maximumLag:)`.
/// Both answer to HEAD as well. Add them to a router before authentication.
public struct HealthRoutes<Context: RequestContext>: Sendable {
    private let container: ModelContainer
    private let consumers: [HistoryConsumer]
    private let maximumLag: Duration?
    private let timeout: Duration

    /// The routes of a container.
    ///
    /// - Parameters:
    ///   - consumers: those whose lag is of interest.
    ///   - maximumLag: how far one of them may be behind; `nil` when that keeps nobody from being ready.
    ///   - timeout: how long all of it may take.
    public init(
        _ container: ModelContainer, consumers: [HistoryConsumer] = [], maximumLag: Duration? = nil,
        timeout: Duration = .seconds(2)
    ) {
        self.container = container
        self.consumers = consumers
        self.maximumLag = maximumLag
        self.timeout = timeout
    }

    /// The routes.
    public var endpoints: RouteCollection<Context> {
        let routes = RouteCollection(context: Context.self)
        for method in [HTTPRequest.Method.get, .head] {
            routes.on("live", method: method) { request, context in
                try answer(Liveness(), to: request, context)
            }
            routes.on("ready", method: method) { request, context in try await readiness(request, context) }
        }
        return routes
    }

    private func readiness(_ request: Request, _ context: Context) async throws -> Response {
        let readiness = await readinessInTime()
        guard let readiness, readiness.isReady else {
            context.logger.warning(
                "Not ready", metadata: ["reason": "\(readiness?.debugDescription ?? "no answer within \(timeout)")"])
            let isServed = readiness?.stores.allSatisfy(\.state.isReady) ?? false
            let what = isServed ? "A consumer of the history" : "A database"
            var refusal = try Problem(.serviceUnavailable, detail: "\(what) is not ready.", retryAfter: .seconds(2))
                .response(from: request, context: context)
            refusal.headers[.cacheControl] = "no-store"
            return refusal
        }
        return try answer(ReadyAnswer(readiness, container.poolUse), to: request, context)
    }

    private func answer(_ body: some Encodable, to request: Request, _ context: Context) throws -> Response {
        var response = try context.responseEncoder.encode(body, from: request, context: context)
        response.headers[.cacheControl] = "no-store"
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// What was found; `nil` when it takes too long. A server that does not even stop what it is asked to is not waited for.
    private func readinessInTime() async -> Readiness? {
        let (answers, answer) = AsyncStream<Readiness?>.makeStream()
        let probe = Task { answer.yield(await container.readiness(of: consumers, maximumLag: maximumLag)) }
        let clock = Task {
            try await Task.sleep(for: timeout)
            answer.yield(nil)
        }
        defer {
            probe.cancel()
            clock.cancel()
        }
        return await answers.first { _ in true } ?? nil
    }
}

/// What `live` answers.
struct Liveness: Encodable {
    let status = "live"
}

private struct ReadyAnswer: Encodable {
    struct Store: Encodable {
        let store: String
        let state: String
        let open, inUse, waiting, maximum: Int
    }

    struct Consumer: Encodable {
        let consumer: String
        let state: String
    }

    let status = "ready"
    let stores: [Store]
    let consumers: [Consumer]

    /// Stores and pools are both in the order of the stores' names. Replicas are no part of what is ready: a service goes on without them.
    init(_ readiness: Readiness, _ pools: [PoolUse]) {
        stores = zip(readiness.stores, pools.filter { $0.replica == nil }).map { store, use in
            Store(
                store: use.store, state: "\(store.state)", open: use.open, inUse: use.inUse, waiting: use.waiting,
                maximum: use.maximum)
        }
        consumers = readiness.consumers.map { Consumer(consumer: $0.name, state: "\($0.state)") }
    }
}
#endif
