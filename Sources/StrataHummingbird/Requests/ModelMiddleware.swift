#if Hummingbird
import HTTPTypes
public import Hummingbird
import Logging
public import Strata

/// Lets the routes of a router read and write models of a container, in the name of whoever asks.
///
/// ```swift
/// router.add(middleware: ModelMiddleware(container) { access, request, _ in
///     access.author = request.headers[.authorization].map(Users.name)
///     access.timeout = .seconds(5)
/// })
/// ```
/// The history of everything that a request saves has its author, and its number under `request`. The same are in the metadata of the
/// request's logger (`author`, `hb.request.id`), and the number is in the answer (`X-Request-ID`). A number that a proxy
/// gave is taken over, if it is short and plain. What a route throws is answered by a ``ProblemMiddleware``, so a router needs none
/// beside it. No round trip.
public struct ModelMiddleware<Context: StrataRequestContext>: RouterMiddleware {
    private let container: ModelContainer
    private let prepare: @Sendable (inout ModelAccess, Request, Context) async throws -> Void

    /// Models of one container.
    ///
    /// - Parameter prepare: sets what is known of a request, such as the author. What it throws ends the request.
    public init(
        _ container: ModelContainer,
        preparing prepare: @escaping @Sendable (inout ModelAccess, Request, Context) async throws -> Void = { _, _, _ in
        }
    ) {
        self.container = container
        self.prepare = prepare
    }

    /// Answers a request.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let number = Self.proxysNumber(of: request) ?? context.id
        context.logger[metadataKey: "hb.request.id"] = .string(number)
        var response = try await ProblemMiddleware().handle(request, context: context) { request, context in
            var context = context
            var access = ModelAccess(container, request: number)
            try await prepare(&access, request, context)
            if let author = access.author { context.logger[metadataKey: "author"] = .string(author) }
            context.models = access
            let commits = access.commits
            return try await ProblemMiddleware().handle(request, context: context) { request, context in
                do { return try await next(request, context) } catch let error as SwiftDataError
                    where commits.isMade && Problem(error).retryAfter != nil
                {
                    context.logger.error("A request failed that had stored something", metadata: ["error": "\(error)"])
                    throw Problem.partlyStored
                } catch is CancellationError where commits.isMade {
                    context.logger.error("A request was cancelled that had stored something")
                    throw Problem.partlyStored
                }
            }
        }
        response.headers[.requestNumber] = number
        return response
    }

    /// The number that a proxy gave the request, if it may stand in a log.
    private static func proxysNumber(of request: Request) -> String? {
        guard let number = request.headers[.requestNumber], (1...128).contains(number.utf8.count),
            number.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        return number
    }
}

extension HTTPField.Name {
    /// `X-Request-ID`: what proxies call the number of a request.
    static let requestNumber = Self("X-Request-ID")!
}
#endif
