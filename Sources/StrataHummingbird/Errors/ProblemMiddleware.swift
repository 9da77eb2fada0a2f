#if Hummingbird
import HTTPTypes
public import Hummingbird
import Logging
import Strata

/// Answers what routes throw with `application/problem+json`: ``Problem``.
///
/// ```swift
/// router.add(middleware: ProblemMiddleware())
/// ```
/// Add it before all others that may throw. A ``SwiftDataError`` is answered by the table of the article *Serving models over HTTP*, Hummingbird's
/// `HTTPError` by its status and message, anything else with 500 and not a word. What is answered with 500 or more is
/// logged, without values; the rest at the level `debug`.
public struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The middleware.
    public init() {}

    /// Answers a request, also when `next` throws.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let answer = try Self.answer(to: error, request, context)
            // A client that has gone, or a service that is going, is nobody's mistake.
            let level: Logger.Level = answer.status.code >= 500 && !(error is CancellationError) ? .error : .debug
            context.logger.log(
                level: level, "A request failed",
                metadata: [
                    "error": "\(Self.words(for: error))", "status": "\(answer.status.code)",
                    "path": "\(context.endpointPath ?? "")",
                ])
            return answer
        }
    }

    /// An error for the log. A decoder's may quote what the client sent.
    private static func words(for error: any Error) -> String {
        error is DecodingError ? "a body that cannot be decoded" : "\(error)"
    }

    private static func answer(to error: any Error, _ request: Request, _ context: Context) throws -> Response {
        switch error {
        case let error as SwiftDataError:
            try Problem(error, isConditional: request.headers[.ifMatch] != nil).response(
                from: request, context: context)
        case let error as DecodingError:
            try Problem(error).response(from: request, context: context)
        case let error as HTTPError:
            try answer(to: error, request, context)
        case let error as any HTTPResponseError:
            try whole(try error.response(from: request, context: context), request, context)
        case is CancellationError:
            // The client has gone, or the server is going.
            try Problem(.serviceUnavailable, retryAfter: .seconds(2)).response(from: request, context: context)
        default:
            try Problem(.internalServerError).response(from: request, context: context)
        }
    }

    /// An error's own answer; one that says nothing, such as of a body that is too long, says its status in words.
    private static func whole(_ answer: Response, _ request: Request, _ context: Context) throws -> Response {
        guard answer.headers[.contentType] == nil else { return answer }
        var problem = try Problem(answer.status).response(from: request, context: context)
        for field in answer.headers where field.name != .contentLength { problem.headers.append(field) }
        return problem
    }

    private static func answer(to error: HTTPError, _ request: Request, _ context: Context) throws -> Response {
        var response = try Problem(error.status, detail: error.body).response(from: request, context: context)
        // The body is another one; a header may be there twice, such as `WWW-Authenticate`.
        for field in error.headers where field.name != .contentType && field.name != .contentLength {
            response.headers.append(field)
        }
        return response
    }
}
#endif
