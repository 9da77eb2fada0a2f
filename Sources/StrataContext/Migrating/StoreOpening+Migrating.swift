import Logging
import StrataClient
import StrataModels
import StrataRepository

extension StoreOpening {
    /// One for each configuration that keeps entities of the schema.
    static func openings(
        of schema: Schema, plan: (any SchemaMigrationPlan.Type)?, policy: MigrationPolicy,
        _ configurations: [ModelConfiguration], _ logger: Logger, _ observer: (any PostgresObserver)?
    ) throws -> [StoreOpening] {
        let parts = try SchemaDivision(schema, among: configurations).parts
        if plan != nil, parts.count > 1 {
            throw SwiftDataError(
                .unsupportedFeature,
                "A migration plan is for one database, and this container has \(parts.count) configurations. Make a container with a "
                    + "plan for each.")
        }
        let migration = try plan.map { try StoreMigration($0, for: schema, policy: policy) }
        return parts.map { configuration, part in
            StoreOpening(
                configuration: configuration, schema: part, logger: logger, observer: observer, migration: migration)
        }
    }

    /// A store whose tables are not looked at; only what Strata keeps for itself is made sure of. Blocks.
    static func unverified(
        _ schema: Schema, _ server: PostgresConfiguration, schemaName: String, logger: Logger
    ) throws -> Store {
        let pool = PostgresPool(
            configuration: server, options: PostgresPoolOptions(maximumConnections: 2, synchronousLane: 2),
            logger: logger, observer: nil)
        do {
            let keys = KeyAllocator(pool: pool, isReadOnly: false)
            let identity = try pool.withConnection(for: "prepare a migration") { connection in
                let identity = try StorePreparation.prepare(
                    StoreMapping(Schema([]), in: schemaName), on: connection, mode: .createMissing)
                try connection.run(keys.batch(2))
                return identity
            }
            var configuration = ModelConfiguration("migration", schema: schema)
            configuration.postgresSchema = schemaName
            return Store(
                configuration, mapping: StoreMapping(schema, in: schemaName), pool: pool,
                identifier: identity.identifier, keys: keys,
                feed: .shared(for: server, logger: logger), number: identity.number, ownServer: nil,
                throwawaySchema: nil, logger: logger)
        } catch {
            pool.close()
            throw error
        }
    }
}
