public import Logging
public import ServiceLifecycle
public import Strata
public import StrataService

/// The store of trips as a service: it prunes its history and keeps counts of destinations.
public func tripStore(_ configuration: ModelConfiguration) -> ModelContainerService {
    var store = ModelContainerService {
        try await ModelContainer(for: Trip.self, DestinationCount.self, configurations: configuration)
    }
    store.keepHistory(for: .seconds(30 * 86_400), atMost: 10_000_000)
    store.consumeHistory("destination-counts", of: Trip.self) { transactions, context in
        try await countAgain(in: context)
    } reload: { context in
        try await countAgain(in: context)
    }
    return store
}

/// The group that runs until the process is told to end.
public func serviceGroup(_ store: ModelContainerService, serving server: any Service, logger: Logger) -> ServiceGroup {
    ServiceGroup(
        services: [store, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
}

/// What the route for a load balancer answers.
public func readinessStatus(_ store: ModelContainerService) async -> (status: Int, text: String) {
    let readiness = await store.readiness(maximumLag: .seconds(60))
    return (status: readiness.isReady ? 200 : 503, text: "\(readiness)")
}

/// Counts all trips by destination.
private func countAgain(in context: ModelContext) async throws {
    let trips = try await context.fetch(FetchDescriptor<Trip>())
    for (destination, trips) in Dictionary(grouping: trips, by: \.destination) {
        context.insert(DestinationCount(destination: destination, trips: trips.count))
    }
}
