#if Hummingbird
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Lets the client of one connection go when it stands still, and has whoever closes the connection wait for what is being sent.
///
/// It looks only while something is waited for, four times in the time that the client has.
final class StandstillHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let patience: ClientPatience
    private var isLeaving = false

    /// What has come of requests, and what the client has taken of answers.
    private var request = Standstill<Int>()
    private var answer = Standstill<UInt64>()
    private var nextLook: Scheduled<Void>?

    private var partCount = 0
    /// Between the head of a request and its end.
    private var isBodyOpen = false
    /// Whether the program would take more: it does not, while a route is behind with the body.
    private var isReading = false
    /// Whether a body was given up: the connection is closed behind its answer.
    private var isBrokenOff = false

    /// The ends of answers that are not sent yet, and who waits for them to close the connection.
    private var unsentEnds = 0
    private var closing: EventLoopPromise<Void>?

    init(_ patience: ClientPatience) { self.patience = patience }

    func handlerRemoved(context: ChannelHandlerContext) { nextLook?.cancel() }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        partCount &+= 1
        switch unwrapInboundIn(data) {
        case .head: isBodyOpen = true
        case .body: break
        case .end: isBodyOpen = false
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
        watch(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            isLeaving = true
            (request, answer) = (Standstill(), Standstill())
            nextLook?.cancel()
            nextLook = nil
            watch(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        unsentEnds += 1
        let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            self.unsentEnds -= 1
            self.closeBehindTheLastEnd(context)
        }
        if isBrokenOff { close(behindTheLastEnd: nil, context) }
        context.write(data, promise: sent)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        watch(context)
    }

    /// Hummingbird closes the connections of a service that shuts down as soon as it has written the end of an answer, and what is still in the
    /// channel would be dropped.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, unsentEnds > 0 else { return context.close(mode: mode, promise: promise) }
        close(behindTheLastEnd: promise, context)
    }

    private func close(behindTheLastEnd promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let closed = closing ?? context.eventLoop.makePromise(of: Void.self)
        closed.futureResult.cascade(to: promise)
        closing = closed
    }

    private func closeBehindTheLastEnd(_ context: ChannelHandlerContext) {
        guard unsentEnds == 0, let closing else { return }
        self.closing = nil
        context.close(mode: .all, promise: closing)
    }

    // MARK: Looking

    private func watch(_ context: ChannelHandlerContext) {
        guard nextLook == nil else { return }
        observe(context, at: .now)
        lookAgain(context)
    }

    private func lookAgain(_ context: ChannelHandlerContext) {
        guard nextLook == nil, request.isWaiting || answer.isWaiting else { return }
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit / 4)) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        nextLook = nil
        let now = ContinuousClock.now
        observe(context, at: now)
        if answer.lasts(limit, at: now) { return context.close(mode: .all, promise: nil) }
        if request.lasts(limit, at: now) { breakOff(context) }
        lookAgain(context)
    }

    private var limit: Duration { isLeaving ? patience.leaving : patience.serving }

    private func observe(_ context: ChannelHandlerContext, at now: ContinuousClock.Instant) {
        request.observe(isBodyOpen && isReading ? partCount : nil, at: now)
        answer.observe(context.channel.placeOfUnsentBytes, at: now)
    }

    /// The route that reads the body gets an error in place of the rest.
    private func breakOff(_ context: ChannelHandlerContext) {
        isBodyOpen = false
        isBrokenOff = true
        request = Standstill()
        context.fireErrorCaught(Problem(.requestTimeout, detail: "The rest of the body did not come."))
    }
}

extension Channel {
    /// How much of what was sent the client has taken, while there is something that it has no room for; `nil` while there is not.
    ///
    /// Asked on the channel's event loop.
    fileprivate var placeOfUnsentBytes: UInt64? {
        guard let socket = self as? any SocketOptionProvider,
            let unsent = try? syncOptions?.getOption(.bufferedWritableBytes), unsent > 0
        else { return nil }
        // The kernel takes the next bytes when a third of its buffer is free, which may be a megabyte: what it has room for says too little.
        #if os(Linux)
        var acknowledged: UInt64?
        let known: EventLoopFuture<TCPInformation> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        known.assumeIsolated().whenSuccess { acknowledged = $0.bytesAcknowledged }
        if let acknowledged { return acknowledged }
        #endif
        return UInt64(unsent)
    }
}

#if os(Linux)
/// The beginning of the kernel's `struct tcp_info` (include/uapi/linux/tcp.h): glibc's ends before what is wanted here.
private struct TCPInformation: Sendable {
    /// Eight bytes of states, twenty-four figures of four bytes, and two rates.
    private let before:
        (
            UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
            UInt64, UInt64
        )
    /// `tcpi_bytes_acked`.
    let bytesAcknowledged: UInt64
}
#endif
#endif
