import Foundation
import HTTPTypes
import Hummingbird
import Strata
import StrataHummingbird
import Testing

@Suite struct RequestTests {
    @Test func aRequestsAuthorAndNumberAreInTheHistoryTheAnswerAndTheLog() async throws {
        try await withTourServer { server in
            let made = try await server.ask(
                .post, "/tours", [.init("X-User")!: "ana", .init("X-Request-ID")!: "from-proxy-17"],
                json: #"{"name": "Coast", "destination": "Riga"}"#)
            #expect(made.status == 201)
            #expect(made.headers[.init("X-Request-ID")!] == "from-proxy-17")
            let location = try #require(made.headers[.location])
            #expect(location.hasPrefix("/tours/Tour."))

            let transactions = try await server.container.read {
                try await $0.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            }
            #expect(transactions.map(\.author) == ["ana"])
            #expect(transactions.map(\.context) == [["request": "from-proxy-17"]])

            // A number that could forge a line of the log is not taken over.
            let other = try await server.ask(
                .get, location + "x", [.init("X-User")!: "ana", .init("X-Request-ID")!: "a b"])
            #expect(other.status == 404)
            #expect(server.logged.contains { $0.contains("A request failed author=ana") && $0.contains("status=404") })
            #expect(!server.logged.contains { $0.contains("a b") })
        }
    }

    @Test func lazyLoadingIsAnErrorInPlaceOfAnEmptyAnswer() async throws {
        try await withTourServer { server in
            try await server.store([("Coast", "Riga")])
            _ = server.statements.taken()
            let answer = try await server.ask(.get, "/careless")
            #expect(answer.status == 500)
            #expect(answer.body == #"{"status":500,"title":"Internal Server Error"}"#)
            #expect(server.statements.taken().count == 1)
            #expect(
                server.logged.contains { $0.hasPrefix("error A request failed") && $0.contains("unfulfilledFault") })
        }
    }

    @Test func aRouteWithoutTheMiddlewareIsAnErrorThatSaysSo() async throws {
        try await withTourServer(
            routes: { router, _ in
                router.add(middleware: Forgetting())
                addTourRoutes(to: router)
            },
            { (server: TourServer) async throws -> Void in
                #expect(try await server.ask(.get, "/tours").status == 500)
                #expect(
                    server.logged.contains {
                        $0.contains("The route /tours reads or writes models, and no ModelMiddleware precedes it")
                    })
            })
    }

    @Test func whatARouteChangesIsSavedAtItsEnd() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            let tag = try #require(try await server.ask(.get, path).headers[.eTag])
            #expect(try await server.ask(.delete, path).status == 428)
            #expect(try await server.ask(.delete, path, [.ifMatch: tag]).status == 204)
            #expect(try await server.ask(.get, path).status == 404)
        }
    }

    @Test func aRequestCostsTheRoundTripsOfItsFetches() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            _ = try await server.ask(.get, path)
            _ = server.statements.taken()
            #expect(try await server.ask(.get, path).status == 200)
            #expect(server.statements.taken().count == 1)
        }
    }
}

/// Takes back what the middleware before it has said.
private struct Forgetting: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicStrataRequestContext,
        next: @concurrent (Request, BasicStrataRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.models = nil
        return try await next(request, context)
    }
}
