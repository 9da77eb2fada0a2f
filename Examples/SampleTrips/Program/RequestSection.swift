import Foundation
import Requests
import SampleTripsModels
import Strata

/// Requests: a context for each, and no answer that a getter made up.
struct RequestSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Requests")
        let requests = TripRequests(container: container)
        try await reading(requests)
        try await writing(requests)
        try await middleware(requests)
    }

    private func reading(_ requests: TripRequests) async throws {
        let response = try await requests.list()
        report.expect(response.lines.count == 6, "read { } answers with values, in a context of its own")
        report.show("(what the log says here is meant to happen)")
        await report.expect(.unfulfilledFault, "a relationship that nobody prefetched is an error, and no empty answer")
        {
            _ = try await requests.listWithoutPrefetching()
        }
        let totals = try await requests.totals()
        report.expect(totals == [6, 8], "with an isolation level all of it is of one moment")
    }

    private func writing(_ requests: TripRequests) async throws {
        let moved = try await requests.move("Client visit", days: 1)
        let missing = try await requests.move("Nowhere", days: 1)
        let back = try await requests.move("Client visit", days: -1)
        report.expect(
            moved.status == 200 && missing.status == 404 && back.status == 200,
            "withContext { } saves at its end, and does it again when somebody else was faster")
    }

    private func middleware(_ requests: TripRequests) async throws {
        let list: @Sendable (Request) async throws -> Response = { _ in try await requests.list() }
        let request = Request(path: "/trips")
        let first = try await TripsAreThere(container: container).handle(request, next: list)
        let second = try await AuthorIsKnown(container: container).handle(request, next: list)
        report.expect(
            first.lines == second.lines && first.status == 200,
            "middleware uses contexts, with the setting NonisolatedNonsendingByDefault and without it")
    }
}

/// Middleware in a target with the setting, as this one is: `next` says where it runs.
struct AuthorIsKnown: Middleware {
    let container: ModelContainer

    func handle(
        _ request: Request, next: @concurrent (Request) async throws -> Response
    ) async throws -> Response {
        let count = try await container.read { context in try await context.fetchCount(FetchDescriptor<Trip>()) }
        return count > 0 ? try await next(request) : Response(status: 503)
    }
}
