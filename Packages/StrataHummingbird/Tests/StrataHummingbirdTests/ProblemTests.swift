import HTTPTypes
import Hummingbird
import NIOCore
import Strata
import StrataHummingbird
import Testing

@Suite struct ProblemTests {
    @Test(arguments: [
        (SwiftDataError.Code.modelNotFound, 404), (.invalidIdentifier, 404), (.invalidPageCursor, 400),
        (.conflict, 409),
        (.uniqueConstraint, 409), (.deleteDenied, 409), (.historyTokenExpired, 410), (.refusedPatch, 422),
        (.invalidValue, 422), (.modelValidationFailure, 422), (.outcomeUnknown, 504), (.storeFailure, 500),
        (.unfulfilledFault, 500), (.invalidSchema, 500), (.readOnly, 500), (.rowLimitExceeded, 500),
    ])
    func eachCodeHasItsStatus(_ code: SwiftDataError.Code, _ status: Int) {
        #expect(Problem(SwiftDataError(code, "secret")).status.code == status)
        #expect(Problem(SwiftDataError(code, "secret")).detail?.contains("secret") != true)
    }

    @Test func reportsOfTheServerHaveTheirStatus() async throws {
        try await withTourServer(
            routes: { router, _ in
                router.get("fail/:state") { _, context in
                    let statement: SQLStatement =
                        switch try context.parameters.require("state") {
                        case "slow": "SELECT pg_sleep(30)::text"
                        case "forbidden": "DO $$ BEGIN RAISE insufficient_privilege; END $$"
                        case "serialization": "DO $$ BEGIN RAISE serialization_failure; END $$"
                        case "full": "DO $$ BEGIN RAISE disk_full; END $$"
                        case "stopped": "SELECT pg_cancel_backend(pg_backend_pid())::text"
                        case "terminated": "SELECT pg_terminate_backend(pg_backend_pid())::text"
                        default: "SELECT secret FROM nowhere"
                        }
                    return try await context.write(attempts: 1) { models in
                        models.timeout = .milliseconds(200)
                        return "\(try await models.execute(statement))"
                    }
                }
            },
            { (server: TourServer) async throws -> Void in
                for (path, status) in [
                    "slow": 504, "forbidden": 403, "serialization": 503, "full": 503, "stopped": 503, "terminated": 503,
                    "other": 500,
                ] {
                    let answer = try await server.ask(.get, "/fail/\(path)")
                    #expect(answer.status == status, "\(path): \(answer.body)")
                    #expect(!answer.body.contains("secret") && !answer.body.contains("SELECT"))
                    #expect((answer.headers[.retryAfter] == "2") == (status == 503))
                }
            })
    }

    @Test func anAnswerToHEADHasNoBody() async throws {
        try await withTourServer { server in
            // A body would be read as the beginning of the next answer.
            let requests = ["/nowhere", "/nowhere", "/tours"].map { "HEAD \($0) HTTP/1.1\r\nHost: localhost\r\n" }
                .joined(separator: "\r\n")
            try await LiveStream.send(
                ByteBuffer(string: requests + "Connection: close\r\n\r\n"), port: server.client.port
            ) { stream in
                try await stream.readToEnd()
                let answers = stream.text.components(separatedBy: "\r\n\r\n")
                #expect(answers.count == 4 && answers[3] == "", "\(stream.text)")
                #expect(answers.dropLast().allSatisfy { $0.hasPrefix("HTTP/1.1 ") }, "\(stream.text)")
            }
        }
    }

    @Test func whoHasStoredSomethingIsNotAskedToDoItAgain() async throws {
        try await withTourServer(
            routes: { router, _ in
                router.post("twice") { _, context in
                    try await context.write { models in models.insert(Tour("Coast", "Riga")) }
                    return try await context.read(attempts: 1) { models in
                        "\(try await models.fetch(String.self, sql: "SELECT pg_terminate_backend(pg_backend_pid())::text"))"
                    }
                }
            },
            { (server: TourServer) async throws -> Void in
                let answer = try await server.ask(.post, "/twice")
                #expect(answer.status == 500, "\(answer.body)")
                #expect(answer.headers[.retryAfter] == nil)
                #expect(!answer.body.contains("Nothing was changed"))
                #expect(answer.body.contains("stored"))
            })
    }

    @Test func otherErrorsAreProblemsToo() async throws {
        struct Odd: Error {}
        try await withTourServer(
            routes: { router, _ in
                router.get("teapot") { _, _ -> String in throw HTTPError(.init(code: 418), message: "short and stout") }
                router.get("odd") { _, _ -> String in throw Odd() }
                router.get("challenged") { _, _ -> String in
                    var headers = HTTPFields()
                    headers.append(HTTPField(name: .wwwAuthenticate, value: "Bearer"))
                    headers.append(HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"trips\""))
                    throw HTTPError(.unauthorized, headers: headers, message: "Who asks?")
                }
                router.get("later") { _, _ -> String in
                    throw Problem(.serviceUnavailable, retryAfter: .milliseconds(2500))
                }
                router.get("gone") { _, _ -> String in throw CancellationError() }
                router.get("own") { _, _ -> String in throw Problem(.init(code: 402), detail: "Not for free.") }
            },
            { (server: TourServer) async throws -> Void in
                #expect(
                    try await server.ask(.get, "/teapot").body
                        == #"{"detail":"short and stout","status":418,"title":""}"#)
                #expect(try await server.ask(.get, "/odd").body == #"{"status":500,"title":"Internal Server Error"}"#)
                #expect(try await server.ask(.get, "/own").status == 402)
                let challenged = try await server.ask(.get, "/challenged")
                #expect(challenged.headers[values: .wwwAuthenticate] == ["Bearer", "Basic realm=\"trips\""])
                #expect(challenged.headers[values: .contentType] == ["application/problem+json"])
                #expect(try await server.ask(.get, "/later").headers[.retryAfter] == "3")
                // Nobody's mistake, and no reason to wake anybody.
                #expect(try await server.ask(.get, "/gone").status == 503)
                #expect(!server.logged.contains { $0.hasPrefix("error") && $0.contains("Cancellation") })
                #expect(try await server.ask(.get, "/nowhere").headers[.contentType] == "application/problem+json")
            })
    }
}
