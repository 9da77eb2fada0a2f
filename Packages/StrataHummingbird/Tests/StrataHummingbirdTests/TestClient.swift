import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Asks an application that serves on a port of this machine, each request on a connection of its own.
///
/// Hummingbird's own client for tests brings AsyncHTTPClient, and with it BoringSSL and HTTP/2, which take longer to compile than what is
/// tested here.
struct TestClient: Sendable {
    /// Where the application serves.
    let port: Int

    /// What came back.
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let bytes: ByteBuffer
        var body: String { String(buffer: bytes) }
    }

    /// Sends a request, and reads the whole of its answer.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> Answer {
        var head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for field in headers { head += "\(field.name.rawName): \(field.value)\r\n" }
        if let body { head += "Content-Length: \(body.readableBytes)\r\n" }
        var request = ByteBuffer(string: head + "\r\n")
        if let body { request.writeImmutableBuffer(body) }
        return try await LiveStream.send(request, port: port) { stream in
            let head = try await stream.head()
            var bytes = stream.rest
            while true {
                if let body = Self.body(of: head, to: method, in: bytes) {
                    return Answer(status: head.status, headers: head.headers, bytes: body)
                }
                guard let more = try await stream.next() else { throw LiveStream.Ended(text: String(buffer: bytes)) }
                bytes.writeImmutableBuffer(more)
            }
        }
    }

    /// The body, once the whole of it has come (RFC 9112, 6.3).
    private static func body(
        of head: LiveStream.Head, to method: HTTPRequest.Method, in bytes: ByteBuffer
    ) -> ByteBuffer? {
        if method == .head || [204, 304].contains(head.status) { return ByteBuffer() }
        if head.headers[.transferEncoding] == "chunked" { return joined(bytes) }
        var bytes = bytes
        return bytes.readSlice(length: head.headers[.contentLength].flatMap { Int($0) } ?? 0)
    }

    /// The pieces of a body whose length was not known (RFC 9112, 7.1); `nil` before the last has come.
    private static func joined(_ pieces: ByteBuffer) -> ByteBuffer? {
        var (rest, whole) = (pieces, ByteBuffer())
        while true {
            let line = rest.readableBytesView.prefix { $0 != UInt8(ascii: "\r") }
            guard rest.readableBytes >= line.count + 2,
                let count = Int(String(decoding: line, as: UTF8.self), radix: 16)
            else { return nil }
            rest.moveReaderIndex(forwardBy: line.count + 2)
            guard count > 0 else { return whole }
            guard rest.readableBytes >= count + 2, var piece = rest.readSlice(length: count) else { return nil }
            whole.writeBuffer(&piece)
            rest.moveReaderIndex(forwardBy: 2)
        }
    }
}

/// Runs an application, which says on which port it serves, for the length of `body`; it shuts down as a service does.
func withApplication<Result: Sendable>(
    _ make: (@escaping @Sendable (Int) -> Void) -> some ApplicationProtocol,
    _ body: @escaping @Sendable (TestClient) async throws -> Result
) async throws -> Result {
    let (ports, found) = AsyncStream<Int>.makeStream()
    let group = ServiceGroup(services: [make { found.yield($0) }], logger: Logger(label: "test"))
    async let service: Void = {
        defer { found.finish() }
        try await group.run()
    }()
    guard let port = await ports.first(where: { _ in true }) else {
        try await service
        throw CancellationError()
    }
    do {
        let result = try await body(TestClient(port: port))
        await group.triggerGracefulShutdown()
        try await service
        return result
    } catch {
        await group.triggerGracefulShutdown()
        try? await service
        throw error
    }
}
