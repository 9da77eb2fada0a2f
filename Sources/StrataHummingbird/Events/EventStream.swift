#if Hummingbird
import HTTPTypes
public import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Strata

/// The answer that goes on: server-sent events made of a sequence, such as `container.history(after:)` or `results(of:)`.
///
/// ```swift
/// router.get("trips/changes") { request, context in
///     EventStream(container.history(after: try request.lastHistoryToken(), of: Trip.self)) { transaction in
///         try ServerSentEvent(transaction, of: Trip.self)
///     }
/// }
/// ```
/// It ends when the sequence does, when the client leaves, and when the service begins to shut down (a `ServiceGroup`'s graceful
/// shutdown): the client sees the end of the answer and comes again, to whoever serves then. A comment goes out every
/// `heartbeat`, so that proxies keep the connection. The next element is asked for when the client has taken the one before;
/// one that has not taken 32 KB of what is there for `patience` is let go. One that takes nothing while the service shuts down is what a server has
/// ``ClientPatience`` for.
///
/// An error of the sequence is an event `problem` with a ``Problem`` as JSON, and the end. Unless it passes (`Retry-After`), the event's
/// `id` is `now`: the client begins anew when it comes again, as the place where it was may be what is wrong.
///
/// Test it on a socket (`application.test(.live)`): Hummingbird stops the program where there is none.
public struct EventStream<Source: AsyncSequence & Sendable>: ResponseGenerator, Sendable {
    private let source: Source
    private let heartbeat: Duration
    private let patience: Duration
    private let event: @Sendable (Source.Element) async throws -> ServerSentEvent?

    /// Events made of the elements of a sequence.
    ///
    /// - Parameters:
    ///   - heartbeat: how often a comment goes out.
    ///   - patience: how long a client may take for 32 KB.
    ///   - event: makes an event of an element; `nil` sends none.
    public init(
        _ source: Source, heartbeat: Duration = .seconds(15), patience: Duration = .seconds(60),
        event: @escaping @Sendable (Source.Element) async throws -> ServerSentEvent?
    ) {
        self.source = source
        self.heartbeat = heartbeat
        self.patience = patience
        self.event = event
    }

    /// The head at once, and the events as they come.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        let logger = context.logger
        let body = ResponseBody { writer in
            let transmission = Transmission(SoleWriter(writer), patience)
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await cancelWhenGracefulShutdown { try await send(by: transmission, logger) }
                }
            } catch is CancellationError {
                // The client has gone, or the service is going.
            }
            try await transmission.finish()
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                // nginx would keep events until there are some kilobytes of them.
                .accelBuffering: "no",
            ], body: body)
    }

    /// Whoever ends first ends all: the sequence, a write that fails, or a client that takes nothing.
    private func send(by transmission: Transmission, _ logger: Logger) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await transmission.watch() }
            group.addTask {
                while true {
                    try await Task.sleep(for: heartbeat)
                    try await transmission.send(ByteBuffer(string: ":\n\n"))
                }
            }
            group.addTask {
                try await transmission.send(ByteBuffer(string: "retry: 2000\n\n"))
                do {
                    for try await element in source {
                        guard let event = try await event(element) else { continue }
                        try await transmission.send(ByteBuffer(string: event.text))
                    }
                } catch let error where !(error is CancellationError) {
                    try await transmission.send(ByteBuffer(string: farewell(error, logger).text))
                }
                throw CancellationError()
            }
            try await group.next()
        }
    }

    private func farewell(_ error: any Error, _ logger: Logger) throws -> ServerSentEvent {
        let problem =
            (error as? Problem) ?? (error as? SwiftDataError).map { Problem($0) } ?? Problem(.internalServerError)
        logger.log(
            level: problem.status.code >= 500 ? .error : .debug, "A stream of events failed",
            metadata: ["error": "\(error)", "status": "\(problem.status.code)"])
        let id = problem.retryAfter == nil ? ServerSentEvent.beginAnew : nil
        return try ServerSentEvent(json: problem, id: id, name: "problem")
    }
}

extension HTTPField.Name {
    /// `X-Accel-Buffering`.
    static let accelBuffering = Self("X-Accel-Buffering")!
}
#endif
