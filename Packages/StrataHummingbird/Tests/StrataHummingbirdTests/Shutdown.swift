import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Strata
import StrataHummingbird
import Testing

/// Shuts a service down while a client reads an answer, and waits for its end before the client leaves.
///
/// - Parameters:
///   - path: what the client asks for.
///   - start: what it has read when the shutdown begins.
///   - seen: what it does then. The sequence that it is given ends when the service has ended.
func shutDown(
    during path: String, after start: String, window: Int? = nil,
    routes: (Router<BasicStrataRequestContext>, ModelContainer) -> Void,
    _ seen: @escaping @Sendable (inout LiveStream, AsyncStream<Void>) async throws -> Void
) async throws {
    try await shutDown(
        during: ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"), window: window, routes: routes,
        when: { stream in try await stream.read(until: start) }, seen)
}

/// Shuts a service down while a client does something, and waits for its end before the client leaves.
///
/// - Parameters:
///   - request: what the client sends.
///   - window: see ``LiveStream/send(_:port:window:_:)``.
///   - begun: returns when the shutdown shall begin.
///   - seen: what the client does then. The sequence that it is given ends when the service has ended.
func shutDown(
    during request: ByteBuffer, window: Int? = nil,
    routes: (Router<BasicStrataRequestContext>, ModelContainer) -> Void,
    when begun: @escaping @Sendable (inout LiveStream) async throws -> Void,
    _ seen: @escaping @Sendable (inout LiveStream, AsyncStream<Void>) async throws -> Void
) async throws {
    let container = try await TestServer.container()
    let router = Router(context: BasicStrataRequestContext.self)
    router.add(middleware: ModelMiddleware(container))
    routes(router, container)
    let (ports, port) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router, server: .http1(patience: ClientPatience(leaving: .seconds(4))),
        configuration: ApplicationConfiguration(address: .hostname("localhost", port: 0)),
        onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
    let group = ServiceGroup(services: [application], logger: Logger(label: "test"))
    async let service: Void = group.run()
    let served = try #require(await ports.first { _ in true })
    let (end, ended) = AsyncStream<Void>.makeStream()
    async let client: Void = LiveStream.send(request, port: served, window: window) { stream in
        try await begun(&stream)
        await group.triggerGracefulShutdown()
        try await seen(&stream, end)
        for await _ in end {}
    }
    try await service
    ended.finish()
    try await client
    await container.close()
}
