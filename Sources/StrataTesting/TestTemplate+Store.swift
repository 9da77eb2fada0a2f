import Foundation
import Logging
import StrataContext
import StrataTestDatabases

extension TestTemplate {
    /// A database with the tables that a container makes for a schema, made once in a process.
    static func store(
        of schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?, _ configuration: ModelConfiguration
    ) -> TestTemplate {
        let key = StoreKey(schema, migrationPlan, configuration)
        return shared(key, schema.entities.map(\.name).joined(separator: ",")) { database in
            var filling = ModelConfiguration(url: try database.modelURL)
            filling.postgresSchema = key.postgresSchema
            filling.recordsHistory = key.recordsHistory
            let container = try await ModelContainer(
                opening: schema, migrationPlan: migrationPlan, configurations: [filling],
                logger: Logger(label: "strata"))
            await container.close()
        }
    }

    /// What decides which tables a store has.
    private struct StoreKey: Hashable {
        let classes: [ObjectIdentifier]
        let migrationPlan: ObjectIdentifier?
        let postgresSchema: String
        let recordsHistory: Bool

        init(
            _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?, _ configuration: ModelConfiguration
        ) {
            classes = schema.entities.map { ObjectIdentifier($0.descriptor) }
            self.migrationPlan = migrationPlan.map { ObjectIdentifier($0) }
            postgresSchema = configuration.postgresSchema
            recordsHistory = configuration.recordsHistory
        }
    }
}

extension TestDatabase {
    /// How a configuration names the database.
    var modelURL: URL {
        get throws {
            guard let url = foundationURL else {
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "The address of the test's database is no URL. Name the server by DATABASE_URL.")
            }
            return url
        }
    }
}
