import NIOCore
import NIOPosix
import Testing

/// A client of a stream of events, on a socket of its own: what HTTP clients for tests wait for is the end of an answer.
struct LiveStream {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private(set) var text = ""

    /// Asks for a path, and runs `body` with the answer as it comes. The client leaves when `body` returns.
    static func open<Result: Sendable>(
        _ path: String, port: Int, headers: [String: String] = [:],
        _ body: @escaping @Sendable (inout LiveStream) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "localhost", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let fields = headers.map { "\($0): \($1)\r\n" }.joined()
            try await outbound.write(
                ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"))
            var stream = LiveStream(inbound: inbound.makeAsyncIterator())
            return try await body(&stream)
        }
    }

    /// Reads until the answer has a text; what was read is in `text`.
    mutating func read(until end: String) async throws {
        while !text.contains(end) {
            guard var more = try await inbound.next(isolation: #isolation) else {
                throw Ended(text: text)
            }
            text += more.readString(length: more.readableBytes) ?? ""
        }
    }

    /// Reads to the end of the answer.
    mutating func readToEnd() async throws {
        while var more = try await inbound.next(isolation: #isolation) {
            text += more.readString(length: more.readableBytes) ?? ""
        }
    }

    struct Ended: Error {
        let text: String
    }
}
