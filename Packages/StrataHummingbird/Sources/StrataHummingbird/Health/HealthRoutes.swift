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
/// `health/ready` is 200 with the use of the pools when all databases answer, otherwise 503 with `Retry-After`. One round trip a
/// store. Add them to a router before authentication.
public struct HealthRoutes<Context: RequestContext>: Sendable {
    private let container: ModelContainer
    private let timeout: Duration

    /// The routes of a container.
    ///
    /// - Parameter timeout: how long the databases may take to answer.
    public init(_ container: ModelContainer, timeout: Duration = .seconds(2)) {
        self.container = container
        self.timeout = timeout
    }

    /// The routes.
    public var endpoints: RouteCollection<Context> {
        let routes = RouteCollection(context: Context.self)
        routes.get("live") { _, _ in Liveness() }
        routes.get("ready") { [self] request, context in try await readiness(request, context) }
        return routes
    }

    private func readiness(_ request: Request, _ context: Context) async throws -> Response {
        do {
            try await withinTime { _ = try await container.ping() }
        } catch {
            context.logger.warning("Not ready", metadata: ["error": "\(error)"])
            return try Problem(.serviceUnavailable, detail: "A database does not answer.", retryAfter: .seconds(2))
                .response(from: request, context: context)
        }
        let answer = Readiness(stores: container.poolUse.map(Readiness.Store.init))
        var response = try context.responseEncoder.encode(answer, from: request, context: context)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Runs `work`, which can be cancelled, for no longer than there is time.
    private func withinTime(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw NoAnswer(timeout: timeout)
            }
            try await group.next()
        }
    }
}

private struct NoAnswer: Error, CustomStringConvertible {
    let timeout: Duration
    var description: String { "No answer to a ping within \(timeout)" }
}

private struct Liveness: ResponseEncodable {
    let status = "live"
}

private struct Readiness: Encodable {
    struct Store: Encodable {
        let store: String
        let open, inUse, waiting, maximum: Int

        init(_ use: PoolUse) {
            (store, open, inUse, waiting, maximum) = (use.store, use.open, use.inUse, use.waiting, use.maximum)
        }
    }

    let status = "ready"
    let stores: [Store]
}
