import Foundation
import HTTPTypes
import NIOCore
import NIOPosix

/// A connection whose answer is read as it comes: for streams of events, and for what no client of HTTP would send.
struct LiveStream {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private(set) var text = ""
    /// What has come behind the head of the answer.
    private(set) var rest = ByteBuffer()

    struct Ended: Error {
        let text: String
    }

    /// The first lines of an answer.
    struct Head {
        let status: Int
        let headers: HTTPFields
    }

    /// Asks for a path, and runs `body` with the answer as it comes. The client leaves when `body` returns.
    static func open<Result: Sendable>(
        _ path: String, port: Int, headers: [String: String] = [:],
        _ body: @escaping @Sendable (inout LiveStream) async throws -> Result
    ) async throws -> Result {
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
        return try await send(ByteBuffer(string: request), port: port, body)
    }

    /// Sends bytes, such as several requests in a row, and runs `body` with what comes back.
    ///
    /// - Parameter window: how many bytes the client takes ahead of `body`, about; as many as the machine likes, unless it is given.
    static func send<Result: Sendable>(
        _ request: ByteBuffer, port: Int, window: Int? = nil,
        _ body: @escaping @Sendable (inout LiveStream) async throws -> Result
    ) async throws -> Result {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        var configuration = NIOAsyncChannel<ByteBuffer, ByteBuffer>.Configuration()
        if let window {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(window))
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: window))
            configuration.backPressureStrategy = .init(lowWatermark: 1, highWatermark: 1)
        }
        let channel = try await bootstrap.connect(host: "localhost", port: port) { [configuration] channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel, configuration: configuration)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request)
            var stream = LiveStream(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&stream)
        }
    }

    /// Sends more.
    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// What comes next; `nil` at the end.
    mutating func next() async throws -> ByteBuffer? { try await inbound.next(isolation: #isolation) }

    /// Reads the head of the answer; what came with it is in `rest`.
    mutating func head() async throws -> Head {
        let end = Array("\r\n\r\n".utf8)
        while true {
            let bytes = rest.readableBytesView
            if let place = bytes.indices.dropLast(3).first(where: { bytes[$0..<($0 + 4)].elementsEqual(end) }) {
                let lines = String(decoding: bytes[..<place], as: UTF8.self).components(separatedBy: "\r\n")
                rest.moveReaderIndex(forwardBy: place - bytes.startIndex + 4)
                var headers = HTTPFields()
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
                    let value = parts[1].drop { $0 == " " }
                    headers.append(HTTPField(name: name, value: String(value)))
                }
                let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
                guard let status else { throw Ended(text: lines[0]) }
                return Head(status: status, headers: headers)
            }
            guard let more = try await next() else { throw Ended(text: String(buffer: rest)) }
            rest.writeImmutableBuffer(more)
        }
    }

    /// Reads until the answer has a text; what was read is in `text`.
    mutating func read(until end: String) async throws {
        while !text.contains(end) {
            guard let more = try await next() else { throw Ended(text: text) }
            text += String(buffer: more)
        }
    }

    /// Reads until the last that has come is a text.
    mutating func read(untilLast end: String) async throws {
        while !text.hasSuffix(end) {
            guard let more = try await next() else { throw Ended(text: text) }
            text += String(buffer: more)
        }
    }

    /// Reads to the end of the answer.
    mutating func readToEnd() async throws {
        while let more = try await next() { text += String(buffer: more) }
    }

    /// Reads so many bytes, or to the end of the connection, also one that was cut; returns how many have come.
    mutating func count(upTo limit: Int = .max) async throws -> Int {
        var count = 0
        do {
            while count < limit, let more = try await next() { count += more.readableBytes }
        } catch is IOError {
            // Reset, with something still under way.
        }
        return count
    }

    /// Reads to the end of the connection, also one that was cut, and keeps the last piece only.
    mutating func skipToEnd() async throws {
        do {
            while let more = try await next() { text = String(buffer: more) }
        } catch is IOError {
            // Reset, with something still under way.
        }
    }
}
