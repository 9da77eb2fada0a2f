import Foundation
import Logging
import StrataClient
import StrataLocalServer
import StrataMigrations
import StrataModels
import StrataRepository

/// Opens the store of one configuration: find the server, validate the schema, make a pool, look at the tables or create them.
struct StoreOpening {
    private(set) var configuration: ModelConfiguration
    let schema: Schema
    let logger: Logger
    let observers: [any StatementObserver]
    let recorder: (any PostgresObserver)?
    /// What the container's migration plan does, if it has one.
    let migration: StoreMigration?
    /// Of a tenant's store the schema of the container's own.
    var planSchemaName: String?

    private struct Server {
        var configuration: PostgresConfiguration
        var own: LocalServer?
    }

    /// Finds the server and makes a pool for it; connects only where a private server is started. Blocks.
    func begin() throws -> Opening {
        do { return try opening() } catch { throw explain(error) }
    }

    /// Makes sure of the tables, and the store of them; blocks this thread.
    ///
    /// - Parameter created: the store's identity if its tables were created just now: they need not be looked at again.
    func complete(_ opening: Opening, created: StoreIdentity?) throws -> Store {
        do {
            return try finish(
                opening, opening.pool.perform(completion(of: opening, created), for: "prepare the store"))
        } catch { throw explain(error) }
    }

    /// Makes sure of the tables, and the store of them.
    ///
    /// - Parameter created: the store's identity if its tables were created just now: they need not be looked at again.
    func complete(_ opening: Opening, created: StoreIdentity?) async throws -> Store {
        do {
            return try finish(
                opening, await opening.pool.perform(completion(of: opening, created), for: "prepare the store"))
        } catch { throw explain(error) }
    }

    private func completion(of opening: Opening, _ created: StoreIdentity?) -> StoreCompletion {
        StoreCompletion(
            opening, created: created, isCopy: opening.isCopy || configuration.isCopyOfAnother,
            allowsSave: configuration.allowsSave, hasPlan: migration != nil)
    }

    /// Where migrations find the store; `nil` for a store that is thrown away, which gets the newest tables, and for a copy, which has
    /// those of its template.
    func migrationPlace(_ opening: Opening) -> StoreMigration.Place? {
        guard !configuration.isStoredInMemoryOnly, !configuration.isCopyOfAnother else { return nil }
        return StoreMigration.Place(
            name: "\(configuration)", configuration: opening.server.withoutLimits, pool: opening.pool,
            schemaName: opening.mapping.schemaName, planSchemaName: planSchemaName ?? opening.mapping.schemaName,
            allowsSave: configuration.allowsSave, logger: logger,
            explain: explain)
    }

    /// A store of which the server is known and nothing else.
    struct Opening: Sendable {
        let mapping: StoreMapping
        let pool: PostgresPool
        let replicas: ReplicaSet?
        let keys: OpeningKeys
        fileprivate let own: LocalServer?
        fileprivate let throwaway: ThrowawayStore?
        fileprivate let server: PostgresConfiguration

        fileprivate var isCopy: Bool {
            if case .database = throwaway { true } else { false }
        }

        /// What Strata keeps for itself, without any table of the models.
        var libraryOnly: StoreMapping { StoreMapping(Schema([]), in: mapping.schemaName) }
    }

    /// Where keys come from is known before it is known that the tables are there.
    enum OpeningKeys {
        case blocks(KeyAllocator)
        case sequences(SequenceKeys)
        /// Those of the store beside which this one is opened: they are reserved already.
        case shared(any KeyGiver)

        fileprivate init(_ mapping: StoreMapping, _ pool: PostgresPool, isReadOnly: Bool) {
            self =
                switch mapping.tables {
                case .own: .blocks(KeyAllocator(pool: pool, isReadOnly: isReadOnly))
                case .external: .sequences(SequenceKeys(pool: pool, isReadOnly: isReadOnly))
                }
        }

        fileprivate var giver: any KeyGiver {
            switch self {
            case .blocks(let keys): keys
            case .sequences(let keys): keys
            case .shared(let keys): keys
            }
        }
    }

    // MARK: Tenants

    /// The opening of a tenant's store beside this one: the same classes and migrations, other tables.
    func opening(ofTenant schemaName: String) -> StoreOpening {
        var opening = StoreOpening(
            configuration: configuration, schema: schema, logger: logger, observers: observers, recorder: recorder,
            migration: migration)
        opening.configuration.postgresSchema = schemaName
        opening.planSchemaName = configuration.postgresSchema
        return opening
    }

    /// A tenant's store, reached through the connections of another store, with keys from the same place. Sends nothing.
    func begin(beside base: Opening) -> Opening {
        Opening(
            mapping: StoreMapping(
                schema, in: configuration.postgresSchema, recordsHistory: base.mapping.recordsHistory),
            pool: base.pool, replicas: base.replicas, keys: .shared(base.keys.giver), own: nil, throwaway: nil,
            server: base.server)
    }

    /// Refuses what a configuration says in vain.
    private func checkConfiguration() throws(SwiftDataError) {
        if let rows = configuration.limits.rows, rows < 1 {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) limits fetches to \(rows) rows. Write a number above zero, or nil for no limit."
            )
        }
        if configuration.tenants != nil, configuration.tables == .external || configuration.isStoredInMemoryOnly {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) has tenants, and "
                    + (configuration.tables == .external
                        ? "tables of others: there is no list of tenants." : "a store in memory is one tenant's.")
                    + " Remove one of the two.")
        }
        if configuration.tenants?.prefix.isEmpty == true {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) has tenants without a prefix of their schemas: any schema of the database would be a tenant's, "
                    + "and could be deleted as one. Write a prefix: Tenants(prefix: \"tenant_\").")
        }
        if configuration.tables == .external, migration != nil || configuration.isStoredInMemoryOnly {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) says that its tables are external, and "
                    + (migration == nil
                        ? "a store in memory has tables of its own." : "a migration plan would change them.")
                    + " Remove one of the two.")
        }
        if !configuration.replicas.isEmpty, configuration.isStoredInMemoryOnly {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) names replicas, and a store in memory has none. Remove one of the two."
            )
        }
        if let lag = configuration.replication.maximumLag, lag <= .zero {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) reads from replicas that are at most \(lag) behind. Write a time above zero, or nil "
                    + "for any; what must be new is read from the primary, or after a token.")
        }
        if configuration.explainsSlowStatements, configuration.slowStatement == nil {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) explains slow statements and does not say which are: set slowStatement too."
            )
        }
    }

    private func opening() throws -> Opening {
        try checkConfiguration()
        let named = try findNamedServer()
        var throwaway: ThrowawayStore?
        if configuration.isStoredInMemoryOnly, named != nil {
            throwaway = .schema("memory_" + UUID().uuidString.lowercased().replacing("-", with: ""))
        }
        let mapping = StoreMapping(
            schema, in: throwaway?.schemaName ?? configuration.postgresSchema, recordsHistory: try recordsHistory(),
            tables: configuration.tables == .external ? .external : .own)
        if let invalid = SwiftDataError.invalidSchema(SchemaValidation.findings(schema, mapping: mapping)) {
            throw invalid
        }
        if let tenant = mapping.tenant, configuration.tenants != nil {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) has tenants with tables of their own, and \(tenant.qualifiedName) says that tenants share a table. "
                    + "Remove one of the two.")
        }
        var server: Server
        if let named {
            server = Server(configuration: named)
        } else if configuration.isStoredInMemoryOnly {
            let database = try MemoryServer.database(for: mapping)
            server = Server(configuration: database.configuration)
            throwaway = .database(database)
        } else {
            server = try startPrivateServer()
        }
        server.configuration.preparedStatements = configuration.preparedStatements
        server.configuration.readOnly = !configuration.allowsSave
        server.configuration.limits = configuration.limits.session
        if mapping.tables == .external { server.configuration.timeZone = "UTC" }
        server.configuration.password = configuration.password
        let options = PostgresPoolOptions(
            maximumConnections: configuration.pool.maximumConnections,
            synchronousLane: configuration.pool.synchronousConnections,
            acquireTimeout: configuration.pool.acquireTimeout,
            maximumPreparations: configuration.tenants?.statementsPerConnection,
            answerTimeout: configuration.pool.answerTimeout,
            cancellationTimeout: configuration.pool.cancellationTimeout)
        let plans = configuration.explainsSlowStatements ? SlowStatementPlans() : nil
        let observer = ObserverGroup(observers, log: StatementLog(configuration, logger, plans: plans), recorder)
        let replicas = try replicas(beside: server.configuration)
        if let tenant = mapping.tenant,
            let other = replicas.first(where: { $0.options["user"] != server.configuration.options["user"] })
        {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) reads from a replica as another role (\(other)), and \(tenant.qualifiedName) says whose rows a role may see: "
                    + "whether policies bind it is asked of the primary. Name the same user in both URLs.")
        }
        let pool = PostgresPool(
            configuration: server.configuration, options: options, logger: logger, observer: observer)
        plans?.attach(pool)
        return Opening(
            mapping: mapping, pool: pool,
            replicas: replicas.isEmpty
                ? nil
                : ReplicaSet(
                    replicas, maximumLag: configuration.replication.maximumLag,
                    catchUpTimeout: configuration.replication.catchUpTimeout, options: options, logger: logger,
                    observer: observer),
            keys: OpeningKeys(mapping, pool, isReadOnly: !configuration.allowsSave),
            own: server.own, throwaway: throwaway, server: server.configuration)
    }

    /// How the replicas are reached.
    private func replicas(beside primary: PostgresConfiguration) throws -> [PostgresConfiguration] {
        try configuration.replicas.map { url in
            var replica = primary
            replica.options = try PostgresConfiguration(url: url.absoluteString).options
            replica.readOnly = true
            // Somebody waits for it who could read from the primary.
            if replica.options["connect_timeout"] == nil { replica.options["connect_timeout"] = "2" }
            return replica
        }
    }

    /// The plan decides where there is one; a configuration that wants none of what the plan records is a mistake.
    private func recordsHistory() throws(SwiftDataError) -> Bool {
        guard let migration else { return configuration.recordsHistory }
        if migration.recordsHistory, !configuration.recordsHistory {
            throw SwiftDataError(
                .unsupportedFeature,
                "The configuration \(configuration) records no history, and the migration plan does: say "
                    + "recordsHistory = false in the plan, or leave it out of the configuration.")
        }
        return migration.recordsHistory
    }

    private func finish(_ opening: Opening, _ completion: StoreCompletion) throws -> Store {
        let identity = completion.identity
        // A database from before the history is as good as it was.
        let broken = identity.history.filter { ![.undescribed, .outdated, .unreadable, .pending].contains($0.problem) }
        if migration?.policy == .verify, !broken.isEmpty {
            throw SwiftDataError(
                .storeDoesNotFit,
                "The history of the store \(configuration) does not record all changes:\n"
                    + broken.map { "- \($0)" }.joined(separator: "\n"))
        }
        for finding in identity.history { logger.warning("\(finding)") }
        for line in identity.advice { logger.notice("\(line)") }
        return Store(
            configuration, mapping: completion.mapping, pool: opening.pool, replicas: opening.replicas,
            identifier: identity.identifier,
            keys: opening.keys.giver, origin: StoreOrigin(opening: self, begun: opening),
            feed: .shared(for: try direct(opening), limits: feedLimits, logger: logger),
            number: identity.number, ownServer: opening.own, throwaway: opening.throwaway, logger: logger,
            hasHistory: !identity.history.contains { $0.problem == .outdated })
    }

    /// What a feed asks is answered at once, or never.
    private var feedLimits: AnswerLimits {
        AnswerLimits(
            silence: configuration.pool.answerTimeout ?? AnswerLimits.short.silence,
            cancellation: configuration.pool.cancellationTimeout)
    }

    /// How the server itself is reached, not the pooler before it.
    private func direct(_ opening: Opening) throws -> PostgresConfiguration {
        guard let url = configuration.directURL else { return opening.server }
        var direct = try PostgresConfiguration(url: url.absoluteString)
        direct.password = configuration.password
        return direct
    }

    /// URL, environment: the first that there is.
    private func findNamedServer() throws -> PostgresConfiguration? {
        if let url = configuration.databaseURL { return try PostgresConfiguration(url: url.absoluteString) }
        return try PostgresConfiguration.environment()
    }

    private func startPrivateServer() throws -> Server {
        let project = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let hasData = FileManager.default.fileExists(atPath: project.appendingPathComponent(".strata").path)
        let server = try LocalServer.shared(in: project)
        PrivateServerNotice.log(project.path, hasData: hasData, logger)
        return Server(configuration: try PostgresConfiguration(url: server.url), own: server)
    }

    private func explain(_ error: any Error) -> any Error {
        switch error {
        case let error as PostgresError:
            SwiftDataError(
                .loadIssueModelContainer,
                "The store \(configuration) could not be opened: \(error.message)", underlying: error)
        case let error as LocalServerError:
            SwiftDataError(
                .loadIssueModelContainer,
                "The store \(configuration) could not be opened: \(error)\nNo database is named, so a private server was "
                    + "looked for. Set DATABASE_URL, or give the configuration a URL, to use another.")
        default: error
        }
    }
}
