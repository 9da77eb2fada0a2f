import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Strata
import StrataHummingbird
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadTests {
    @Test func whatIsUploadedComesBackAsItWasAndHarmless() async throws {
        try await withTourServer(
            routes: { router, _ in addUploadRoutes(to: router) },
            { server in
                let path = "/badges/" + (try await server.store([("Coast", "Riga")])[0])
                // More than a piece, and every byte.
                let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
                #expect(try await server.put(path, bytes, type: "Image/PNG; q=1").status == 204)
                let answer = try await server.ask(.get, path)
                #expect(Data(answer.bytes.readableBytesView) == bytes)
                #expect(answer.headers[.contentType] == "image/png")
                #expect(answer.headers[.contentLength] == "200000")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
                let tag = try #require(answer.headers[.eTag])
                let same = try await server.ask(.get, path, [.ifNoneMatch: tag])
                #expect(same.status == 304 && same.body == "")
                #expect(try await server.put(path, Data([1, 2, 3]), type: "image/png").status == 204)
                #expect(try await server.ask(.get, path, [.ifNoneMatch: tag]).status == 200)
            })
    }

    @Test func whatIsTooLongOrOfAnotherTypeIsRefused() async throws {
        try await withTourServer(
            routes: { router, _ in addUploadRoutes(to: router) },
            { server in
                let path = "/badges/" + (try await server.store([("Coast", "Riga")])[0])
                #expect(try await server.put(path, Data(count: 300_001), type: "image/png").status == 413)
                #expect(try await server.put(path, Data(), type: "image/png").status == 400)
                let other = try await server.put(path, Data([1]), type: "text/html")
                #expect(other.status == 415)
                #expect(other.headers[.accept] == "image/png, image/jpeg")
                #expect(try await server.put(path, Data([1]), type: nil).status == 415)
                // A client that does not say how much comes: it ends in the middle.
                let piece = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
                let head =
                    "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
                try await LiveStream.send(
                    ByteBuffer(string: head + String(repeating: piece, count: 8) + "0\r\n\r\n"),
                    port: server.client.port
                ) { stream in
                    try await stream.read(until: "\r\n\r\n")
                    #expect(stream.text.hasPrefix("HTTP/1.1 413"), "\(stream.text)")
                }
                #expect(try await server.ask(.get, path).status == 404)
            })
    }

    @Test func aClientThatTakesNothingOfAFileIsLetGo() async throws {
        let (ends, ended) = AsyncStream<Void>.makeStream()
        try await withTourServer(
            routes: { router, _ in
                router.get("large") { request, context in
                    let answer = DataResponse(large, contentType: "image/png", patience: .milliseconds(500))
                        .response(from: request, context: context)
                    let body = ResponseBody { writer in
                        defer { ended.finish() }
                        try await answer.body.write(writer)
                    }
                    return Response(status: answer.status, headers: answer.headers, body: body)
                }
            },
            { server in
                try await LiveStream.open("/large", port: server.client.port) { stream in
                    try await stream.read(until: "xxx")
                    for await _ in ends {}
                    let count = try await stream.count()
                    #expect(stream.text.utf8.count + count < large.count)
                }
            })
    }
}

/// More than the sockets of a connection hold.
private let large = Data(repeating: UInt8(ascii: "x"), count: 20_000_000)

extension TourServer {
    fileprivate func put(_ path: String, _ data: Data, type: String?) async throws -> TestClient.Answer {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        return try await client.ask(.put, path, headers, body: ByteBuffer(bytes: data))
    }
}

private func addUploadRoutes(to router: Router<BasicStrataRequestContext>) {
    router.put("badges/:tour") { request, context in
        let name = try context.parameters.require("tour")
        let upload = try await request.upload(of: ["image/png", "image/jpeg"], upTo: 300_000)
        return try await context.write { models in
            let tour = try await models.model(Tour.self, named: name)
            tour.badge = upload.data
            tour.badgeType = upload.contentType
            return HTTPResponse.Status.noContent
        }
    }
    router.get("badges/:tour") { _, context in
        let name = try context.parameters.require("tour")
        return try await context.read { models in
            let tour = try await models.model(Tour.self, named: name)
            let id = tour.persistentModelID
            let found = try await models.fetch(
                FetchDescriptor<Tour>(predicate: #Predicate { $0.persistentModelID == id }),
                selecting: \.badge, \.badgeType)
            guard case (let badge?, let type?)? = found.first else { throw Problem(.notFound) }
            return DataResponse(badge, contentType: type)
        }
    }
}
