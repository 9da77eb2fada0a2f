import Foundation
import SampleTripsModels
import Strata

/// More than one server, or something between the program and its server.
public enum Servers {
    /// A configuration that reaches its server through PgBouncer in transaction mode.
    public static func pooled(_ pooler: URL, server: URL) -> ModelConfiguration {
        var configuration = ModelConfiguration(url: pooler)
        configuration.preparedStatements = .unnamed
        configuration.directURL = server
        return configuration
    }

    /// A configuration whose tenants are on the workers of Citus.
    public static func distributed(_ coordinator: URL) -> ModelConfiguration {
        var configuration = ModelConfiguration(url: coordinator)
        configuration.recordsHistory = false
        configuration.tenants = ModelConfiguration.Tenants(placement: .citus)
        return configuration
    }

    /// A configuration with two replicas.
    public static func replicated(_ primary: URL, _ first: URL, _ second: URL) -> ModelConfiguration {
        var configuration = ModelConfiguration(url: primary, replicas: [first, second])
        configuration.replication.maximumLag = .seconds(5)
        return configuration
    }

    /// How many trips there are, as a replica has them.
    public static func count(_ container: ModelContainer) async throws -> Int {
        let context = ModelContext(container, reading: .replica)
        return try await context.fetchCount(FetchDescriptor<Trip>())
    }

    /// The names of the trips, read in one transaction of one moment.
    public static func names(_ container: ModelContainer) async throws -> [String] {
        try await container.read(isolation: .repeatableRead, reading: .replica) { context in
            try await context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]), selecting: \.name)
        }
    }

    /// Renames a trip; the next request of the same client brings the token along.
    public static func rename(
        _ identifier: PersistentIdentifier, to name: String, in container: ModelContainer
    ) async throws -> DefaultHistoryToken? {
        let context = ModelContext(container)
        try await context.existingModel(for: identifier, as: Trip.self)?.name = name
        try await context.save()
        return context.historyToken
    }

    /// How many trips have a name, for a client who has saved something.
    public static func count(named name: String, after token: DefaultHistoryToken, in container: ModelContainer)
        async throws -> Int
    {
        let context = ModelContext(container, reading: .replica(after: token))
        return try await context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name }))
    }
}
