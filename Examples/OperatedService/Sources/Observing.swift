public import Logging
public import ServiceLifecycle
public import Strata
import StrataMetrics
public import StrataService
import StrataTracing

/// The store of trips with its statements counted and traced, and the service that records how its connections are used.
public func observedStore(_ configuration: ModelConfiguration) -> (store: ModelContainerService, meters: ClosureService)
{
    let metrics = StoreMetrics()
    let store = ModelContainerService {
        try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]), configurations: [configuration],
            observers: [metrics, StoreTracing()])
    }
    let meters = ClosureService {
        try await store.withContainer { container in
            await cancelWhenGracefulShutdown { await metrics.keepRecording(container, every: .seconds(10)) }
        }
    }
    return (store, meters)
}

/// The trips of a request whose statements are to be found in the server's log.
public func trips(lookedAtIn container: ModelContainer) async throws -> [String] {
    try await StoreTracing.withSQLComments {
        try await container.read { context in
            try await context.fetch(FetchDescriptor<Trip>()).map(\.destination)
        }
    }
}

/// All destinations, for an export that has a time, a number of rows and a log of its own.
public func exportedDestinations(of container: ModelContainer, logger: Logger) async throws -> [String] {
    try await container.read { context in
        context.timeout = .seconds(300)
        context.rowLimit = 100_000
        context.logger = logger
        return try await context.fetch(FetchDescriptor<Trip>(), selecting: \.destination)
    }
}
