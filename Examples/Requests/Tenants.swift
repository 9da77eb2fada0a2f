import Foundation
import SampleTripsModels
import Strata

/// Many tenants in one container.
public enum Tenants {
    /// A container whose tenants have tables of their own.
    public static func container(_ url: URL) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: url)
        configuration.tenants = ModelConfiguration.Tenants()
        let container = try await ModelContainer(for: Trip.self, configurations: configuration)
        return container
    }

    /// Creates a tenant with one trip.
    public static func begin(_ name: String, in container: ModelContainer) async throws {
        try await container.createTenant(name)
        let context = try await ModelContext(container, tenant: name)
        context.insert(Trip(name: "Rome", destination: "Rome", startDate: .now, endDate: .now))
        try await context.save()
    }

    /// How many trips a tenant has.
    public static func trips(of name: String, in container: ModelContainer) async throws -> Int {
        let tenant = try await container.tenant(name)
        return try await tenant.read { context in try await context.fetchCount(FetchDescriptor<Trip>()) }
    }
}
