import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Strata
import StrataHummingbird
import Testing

/// What becomes of clients that stand still, and of those that are slow.
@Suite(.timeLimit(.minutes(1))) struct StandstillTests {
    @Test(arguments: ["upload", "decode"])
    func aServiceShutsDownThoughAClientStopsInTheMiddleOfItsBody(_ route: String) async throws {
        let (begins, begun) = AsyncStream<Void>.makeStream()
        try await shutDown(
            during: head(of: route, length: 1_000, sent: "{\"name\": "),
            routes: { router, _ in addBodies(to: router) { begun.finish() } },
            when: { _ in for await _ in begins {} },
            { stream, end in
                try await stream.readToEnd()
                #expect(stream.text.hasPrefix("HTTP/1.1 408 "), "\(stream.text)")
                #expect(stream.text.contains("application/problem+json"), "\(stream.text)")
                for await _ in end {}
            })
    }

    @Test func aClientThatIsSendingABodySlowlyIsServedThoughTheServiceShutsDown() async throws {
        let (begins, begun) = AsyncStream<Void>.makeStream()
        try await shutDown(
            during: head(of: "upload", length: 12, sent: ""),
            routes: { router, _ in addBodies(to: router) { begun.finish() } },
            when: { _ in for await _ in begins {} },
            { stream, _ in
                // Longer than the service waits for one that sends nothing.
                for character in "twelve bytes" {
                    try await Task.sleep(for: .milliseconds(450))
                    try await stream.send(String(character))
                }
                try await stream.readToEnd()
                #expect(stream.text.hasPrefix("HTTP/1.1 204 "), "\(stream.text)")
            })
    }

    @Test func aClientThatStopsInTheMiddleOfItsBodyIsLetGo() async throws {
        try await withTourServer(
            server: .http1(patience: ClientPatience(serving: .milliseconds(500))),
            routes: { router, _ in addBodies(to: router) },
            { server in
                try await LiveStream.send(
                    head(of: "upload", length: 1_000, sent: "half"), port: server.client.port
                ) { stream in
                    try await stream.readToEnd()
                    #expect(stream.text.hasPrefix("HTTP/1.1 408 "), "\(stream.text)")
                }
                // A route that takes its time is not what a client is let go for: the rest waits until it is taken.
                let large = head(of: "late", length: 2_000_000, sent: String(repeating: "x", count: 2_000_000))
                try await LiveStream.send(large, port: server.client.port) { stream in
                    try await stream.read(until: "\r\n\r\n")
                    #expect(stream.text.hasPrefix("HTTP/1.1 204 "), "\(stream.text)")
                }
            })
    }

    /// A file goes out in pieces, the other answer as one.
    @Test(arguments: ["file", "whole"])
    func aSlowClientGetsTheWholeAnswerThoughTheServiceShutsDown(_ route: String) async throws {
        try await shutDown(
            during: "/\(route)", after: "xxx", window: 4_096, routes: { router, _ in addAnswers(to: router) },
            { stream, _ in
                // Some 20 KB a second: a piece takes longer than the service waits for one that takes nothing.
                var count = stream.text.utf8.count
                for _ in 0..<50 {
                    try await Task.sleep(for: .milliseconds(100))
                    count += try await stream.next()?.readableBytes ?? 0
                }
                #expect(count < large.count / 2)
                count += try await stream.count()
                // With the head, whose end is not looked for here.
                #expect(count >= large.count)
            })
    }

    @Test(arguments: ["file", "whole"])
    func aServiceShutsDownThoughAClientTakesNothingOfAnAnswer(_ route: String) async throws {
        try await shutDown(
            during: "/\(route)", after: "xxx", routes: { router, _ in addAnswers(to: router) },
            { stream, end in
                for await _ in end {}
                let count = try await stream.count()
                #expect(stream.text.utf8.count + count < large.count)
            })
    }

    @Test func aClientThatTakesNothingOfAnAnswerIsLetGo() async throws {
        try await withTourServer(
            server: .http1(patience: ClientPatience(serving: .milliseconds(500))),
            routes: { router, _ in addAnswers(to: router) },
            { server in
                try await LiveStream.open("/whole", port: server.client.port) { stream in
                    try await stream.read(until: "xxx")
                    try await Task.sleep(for: .seconds(2))
                    let count = try await stream.count()
                    #expect(stream.text.utf8.count + count < large.count)
                }
            })
    }
}

/// More than the sockets of a connection hold.
private let large = Data(repeating: UInt8(ascii: "x"), count: 20_000_000)

private func head(of route: String, length: Int, sent: String) -> ByteBuffer {
    ByteBuffer(
        string: "PUT /\(route) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(length)\r\n\r\n\(sent)")
}

private func addBodies(
    to router: Router<BasicStrataRequestContext>, begun: @escaping @Sendable () -> Void = {}
) {
    router.put("upload") { request, _ in
        begun()
        _ = try await request.upload(of: ["application/json"], upTo: 10_000)
        return HTTPResponse.Status.noContent
    }
    router.put("decode") { request, context in
        begun()
        _ = try await request.decode(as: [String: String].self, context: context)
        return HTTPResponse.Status.noContent
    }
    router.put("late") { request, _ in
        try await Task.sleep(for: .seconds(1))
        _ = try await request.upload(of: ["application/json"], upTo: 2_000_000)
        return HTTPResponse.Status.noContent
    }
}

private func addAnswers(to router: Router<BasicStrataRequestContext>) {
    router.get("file") { _, _ in DataResponse(large, contentType: "image/png") }
    router.get("whole") { _, _ in Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: large))) }
}
