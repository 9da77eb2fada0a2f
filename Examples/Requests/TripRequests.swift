import Foundation
import SampleTripsModels
import Strata

/// Requests that read and write, in a target without `NonisolatedNonsendingByDefault`.
public struct TripRequests: Sendable {
    let container: ModelContainer

    /// Requests to one container.
    public init(container: ModelContainer) {
        self.container = container
    }

    /// Each trip with the number of its items.
    public func list() async throws -> Response {
        let lines = try await container.read(lazyLoading: .forbidden) { context in
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
            return try await context.fetch(descriptor).map { "\($0.name): \($0.bucketList.count)" }
        }
        return Response(status: 200, lines: lines)
    }

    /// The same, by somebody who forgot to prefetch: it throws, and answers nothing.
    public func listWithoutPrefetching() async throws -> Response {
        let lines = try await container.read(lazyLoading: .forbidden) { context in
            try await context.fetch(FetchDescriptor<Trip>()).map { "\($0.name): \($0.bucketList.count)" }
        }
        return Response(status: 200, lines: lines)
    }

    /// Two counts of one moment.
    public func totals() async throws -> [Int] {
        try await container.read(isolation: .repeatableRead) { context in
            let trips = try await context.fetchCount(FetchDescriptor<Trip>())
            let items = try await context.fetchCount(FetchDescriptor<BucketListItem>())
            return [trips, items]
        }
    }

    /// Moves a trip by a few days.
    public func move(_ name: String, days: Int) async throws -> Response {
        try await container.withContext { context in
            guard let trip = try await trip(named: name, in: context) else { return Response(status: 404) }
            trip.startDate += Double(days) * 86_400
            trip.endDate += Double(days) * 86_400
            return Response(status: 200, lines: [trip.name])
        }
    }

    nonisolated(nonsending) func trip(named name: String, in context: ModelContext) async throws -> Trip? {
        try await context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name })).first
    }
}

/// Middleware in a target without the setting: as in any other program.
public struct TripsAreThere: Middleware {
    let container: ModelContainer

    /// Looks at one container.
    public init(container: ModelContainer) {
        self.container = container
    }

    /// Lets requests pass while there are trips.
    public func handle(_ request: Request, next: (Request) async throws -> Response) async throws -> Response {
        let count = try await container.read { context in try await context.fetchCount(FetchDescriptor<Trip>()) }
        return count > 0 ? try await next(request) : Response(status: 503)
    }
}
