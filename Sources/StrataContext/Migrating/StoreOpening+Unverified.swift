import Logging
import StrataClient
import StrataModels
import StrataRepository

extension StoreOpening {
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
                throwaway: nil, logger: logger)
        } catch {
            pool.close()
            throw error
        }
    }
}
