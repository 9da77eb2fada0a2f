public import Strata

/// Containers with a migration plan, for programs of two kinds.
public enum OpeningTrips {
    /// For a tool, a test, or a service with one process: the database is brought to the newest version.
    public static func migrating(_ configuration: ModelConfiguration) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema(versionedSchema: TripsV4.self), migrationPlan: TripsPlan.self, configurations: configuration)
    }

    /// For a fleet whose deploy has applied the migrations: nothing is written, and what is pending is an error.
    public static func verifying(_ configuration: ModelConfiguration) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema(versionedSchema: TripsV4.self), migrationPlan: TripsPlan.self, migrations: .verify,
            configurations: configuration)
    }
}
