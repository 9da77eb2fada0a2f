import HTTPTypes
import Hummingbird
import Strata
import StrataHummingbird
import Testing

@Suite struct ProblemTests {
    @Test(arguments: [
        (SwiftDataError.Code.modelNotFound, 404), (.invalidIdentifier, 404), (.invalidPageCursor, 400),
        (.conflict, 409),
        (.uniqueConstraint, 409), (.deleteDenied, 409), (.historyTokenExpired, 410), (.refusedPatch, 422),
        (.invalidValue, 422), (.modelValidationFailure, 422), (.outcomeUnknown, 504), (.storeFailure, 500),
        (.unfulfilledFault, 500), (.invalidSchema, 500), (.readOnly, 500),
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
                    "slow": 504, "forbidden": 403, "serialization": 503, "full": 503, "terminated": 503, "other": 500,
                ] {
                    let answer = try await server.ask(.get, "/fail/\(path)")
                    #expect(answer.status == status, "\(path): \(answer.body)")
                    #expect(!answer.body.contains("secret") && !answer.body.contains("SELECT"))
                    #expect((answer.headers[.retryAfter] == "2") == (status == 503))
                }
            })
    }

    @Test func otherErrorsAreProblemsToo() async throws {
        struct Odd: Error {}
        try await withTourServer(
            routes: { router, _ in
                router.get("teapot") { _, _ -> String in throw HTTPError(.init(code: 418), message: "short and stout") }
                router.get("odd") { _, _ -> String in throw Odd() }
                router.get("own") { _, _ -> String in throw Problem(.init(code: 402), detail: "Not for free.") }
            },
            { (server: TourServer) async throws -> Void in
                #expect(
                    try await server.ask(.get, "/teapot").body
                        == #"{"detail":"short and stout","status":418,"title":""}"#)
                #expect(try await server.ask(.get, "/odd").body == #"{"status":500,"title":"Internal Server Error"}"#)
                #expect(try await server.ask(.get, "/own").status == 402)
                #expect(try await server.ask(.get, "/nowhere").headers[.contentType] == "application/problem+json")
            })
    }
}
