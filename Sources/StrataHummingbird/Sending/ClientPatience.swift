#if Hummingbird
public import HummingbirdCore

/// How long a connection waits for a client that stands still: one that sends nothing of a body that it has begun, or takes nothing of an
/// answer.
///
/// ```swift
/// Application(router: router, server: .http1(patience: ClientPatience()))
/// ```
/// Every byte counts: a client that is slow and steady is waited for, also by a service that shuts down, and gets the whole of its answer. One that
/// stops in the middle of its body is answered with 408 (``Problem``), one that takes nothing loses its connection. What counts as taken
/// is what its machine has acknowledged (on Linux; elsewhere what this machine's buffers have room for again). A route that
/// takes its time is not limited: only what the client owes is.
///
/// Hummingbird itself waits for ever for such clients, and so does its graceful shutdown; and when a service shuts down, it closes a connection behind the
/// end of an answer whose last pieces may still be waiting in the process. With patience the connection is closed when they are sent.
public struct ClientPatience: Sendable {
    /// While the service serves.
    public var serving: Duration
    /// While it shuts down, counted from its beginning.
    public var leaving: Duration

    /// A minute, and two seconds at a shutdown.
    public init(serving: Duration = .seconds(60), leaving: Duration = .seconds(2)) {
        self.serving = serving
        self.leaving = leaving
    }
}

extension HTTPServerBuilder {
    /// A server of HTTP/1.1 that lets clients go which stand still.
    ///
    /// - Parameters:
    ///   - patience: how long they may.
    ///   - configuration: everything else.
    public static func http1(
        patience: ClientPatience, configuration: HTTP1Channel.Configuration = HTTP1Channel.Configuration()
    ) -> HTTPServerBuilder {
        var configuration = configuration
        let others = configuration.additionalChannelHandlers
        configuration.additionalChannelHandlers = { [StandstillHandler(patience)] + others() }
        return .http1(configuration: configuration)
    }
}
#endif
