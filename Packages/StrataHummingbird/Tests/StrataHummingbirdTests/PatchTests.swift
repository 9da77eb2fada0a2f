import HTTPTypes
import Strata
import StrataHummingbird
import Testing

@Suite struct PatchTests {
    @Test(arguments: [
        (#"{"name": "A", "margin": 1}"#, "#/margin", "cannot be written"),
        (#"{"name": "A", "nosuch": 1}"#, "#/nosuch", "cannot be written"),
        (#"{"name": "A", "a/b~ü": 1}"#, "#/a~1b~0%C3%BC", "cannot be written"),
        (#"{"name": "A", "budget": "much"}"#, "#/budget", "is no number"),
        (#"{"name": null}"#, "#/name", "must not be null"),
        (#"{"stops": [{"title": "x"}]}"#, "#/stops", "would make a new object"),
    ])
    func aBodyThatNamesWhatItMayNotIsRefusedAndNamesIt(_ body: String, _ pointer: String, _ reason: String) async throws
    {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            let answer = try await server.ask(.patch, path, json: body)
            #expect(answer.status == 422)
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.body.contains(#""pointer":"\#(pointer)"#), "\(answer.body)")
            #expect(answer.body.contains(reason), "\(answer.body)")
            let names = try await server.container.read { try await $0.fetch(FetchDescriptor<Tour>()).map(\.name) }
            #expect(names == ["Coast"])
        }
    }

    @Test func bodiesThatAreNoJSONAreToldApart() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            #expect(try await server.ask(.patch, path, json: "{").status == 400)
            #expect(try await server.ask(.patch, path, json: "[1]").status == 400)
            #expect(try await server.ask(.patch, path, [.contentType: "text/plain"], json: "{}").status == 415)
            #expect(
                try await server.ask(.patch, path, [.contentType: "application/merge-patch+json"], json: "{}").status
                    == 200)
        }
    }

    @Test func aZeroCharacterIsTheClientsMistake() async throws {
        try await withTourServer(
            routes: { router, container in
                addTourRoutes(to: router)
                router.get("named") { request, context in
                    let name = String(request.uri.queryParameters["name"] ?? "")
                    return try await context.read { models in
                        try await models.fetchCount(FetchDescriptor<Tour>(predicate: #Predicate { $0.name == name }))
                            .description
                    }
                }
            },
            { (server: TourServer) async throws -> Void in
                let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
                #expect(try await server.ask(.patch, path, json: #"{"name": "a\u0000b"}"#).status == 422)
                #expect(try await server.ask(.get, "/named?name=a%00b").status == 422)
                #expect(try await server.ask(.get, "/tours/%00").status == 404)
            })
    }

    @Test func hugeAndDeepBodiesAreRefused() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            let huge = #"{"name": ""# + String(repeating: "x", count: 3_000_000) + #""}"#
            let refused = try await server.ask(.patch, path, json: huge)
            #expect(refused.status == 413)
            #expect(refused.headers[.contentType] == "application/problem+json")
            let deep = #"{"name": "# + String(repeating: "[", count: 100_000)
            #expect(try await server.ask(.patch, path, json: deep).status == 400)
            let refusals = [400, 422]
            #expect(refusals.contains(try await server.ask(.patch, path, json: #"{"budget": 1e400}"#).status))
        }
    }

    @Test func aPatchWritesWhatItNames() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            let answer = try await server.ask(.patch, path, json: #"{"budget": 12}"#)
            #expect(answer.status == 200)
            #expect(answer.body.contains(#""budget":12"#) && answer.body.contains(#""name":"Coast""#))
            #expect(!answer.body.contains("margin"))
        }
    }

    @Test func aTakenUniqueValueIsAConflictWithoutTheValue() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga"), ("Hills", "Graz")])[1])
            let answer = try await server.ask(.patch, path, json: #"{"name": "Coast"}"#)
            #expect(answer.status == 409)
            #expect(answer.body.contains("uniqueConstraint") && !answer.body.contains("Coast"))
        }
    }
}
