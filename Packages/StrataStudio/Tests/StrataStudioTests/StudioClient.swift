import Foundation
import NIOCore
import NIOPosix

/// A client that says exactly what a test wants: any host, any origin, with or without the cookie.
struct StudioClient: Sendable {
    struct Answer: Sendable {
        var status: Int
        var head: String
        var body: String

        /// The value of a header.
        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    let port: Int
    var cookie: String?
    var host: String
    var origin: String?

    init(port: Int) {
        self.port = port
        host = "127.0.0.1:\(port)"
        origin = "http://127.0.0.1:\(port)"
    }

    func get(_ path: String) async throws -> Answer { try await ask("GET", path, body: nil) }

    /// Sends a form, its fields in their order.
    func post(_ path: String, _ fields: [(String, String)]) async throws -> Answer {
        let body = fields.map { Self.encoded($0) + "=" + Self.encoded($1) }.joined(separator: "&")
        return try await ask("POST", path, body: body)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private func ask(_ method: String, _ path: String, body: String?) async throws -> Answer {
        var text = request(method, path)
        if let body {
            text += "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        text += "Connection: close\r\n\r\n" + (body ?? "")
        return try await open(text) { inbound in
            var bytes = ByteBuffer()
            while var more = try await inbound.next(isolation: #isolation) { bytes.writeBuffer(&more) }
            let all = String(buffer: bytes)
            let parts = all.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let status = Int(all.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
            return Answer(status: status, head: String(parts[0]), body: parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// Reads an answer as it comes until it has a text; returns what was read. The client leaves then.
    func follow(
        _ path: String, until end: String, meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> String {
        try await open(request("GET", path) + "\r\n") { inbound in
            var text = ""
            var hasBegun = false
            while !text.contains(end), var more = try await inbound.next(isolation: #isolation) {
                text += more.readString(length: more.readableBytes) ?? ""
                if !hasBegun, text.contains("retry:") {
                    hasBegun = true
                    try await meanwhile()
                }
            }
            return text
        }
    }

    private func request(_ method: String, _ path: String) -> String {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        if let cookie { text += "Cookie: other=1; \(cookie)\r\n" }
        if let origin { text += "Origin: \(origin)\r\n" }
        return text
    }

    private func open<Result: Sendable>(
        _ text: String,
        _ body:
            @escaping @Sendable (inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var iterator = inbound.makeAsyncIterator()
            return try await body(&iterator)
        }
    }
}
