import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// A database whose containers come and go.
struct MigratingStore {
    let database: TestDatabase

    func open(
        _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = SampleTripsMigrationPlan.self,
        _ policy: MigrationPolicy = .apply, allowsSave: Bool = true
    ) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan, migrations: policy,
            configurations: ModelConfiguration(url: try #require(database.foundationURL), allowsSave: allowsSave))
    }

    /// Opens a container for as long as `body` takes.
    func with<Result>(
        _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = SampleTripsMigrationPlan.self,
        _ policy: MigrationPolicy = .apply, _ body: (ModelContext) async throws -> Result
    ) async throws -> Result {
        let container = try await open(version, plan: plan, policy)
        do {
            let result = try await body(ModelContext(container))
            await container.close()
            return result
        } catch {
            await container.close()
            throw error
        }
    }

    /// The first column of all rows, as text.
    func texts(_ query: String) async throws -> [String] { try await database.texts(query) }

    func recordedVersions() async throws -> [String] {
        try await texts("SELECT version || ' ' || stage FROM strata.schema_version ORDER BY number")
    }
}

func withMigratingStore(_ label: String = "", _ body: (MigratingStore) async throws -> Void) async throws {
    try await withTestDatabase(label) { database in try await body(MigratingStore(database: database)) }
}
