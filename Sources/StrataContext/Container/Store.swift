import Foundation
import Logging
import StrataClient
import StrataLocalServer
import StrataModels
import StrataRepository
import Synchronization

/// How a store was opened.
struct StoreOrigin: Sendable {
    let opening: StoreOpening
    let begun: StoreOpening.Opening
}

/// One configuration at work: a pool of connections to its database, and how its entities lie in the tables.
final class Store: Sendable {
    let configuration: ModelConfiguration
    let mapping: StoreMapping
    /// Connections to the server that takes writes.
    let pool: PostgresPool
    /// `nil` where none are named.
    let replicas: ReplicaSet?
    /// Names this store in every identifier of its objects: of a tenant's rows the tenant too.
    let identifier: String
    /// Whose rows are seen, of classes whose rows are of many tenants.
    let rows: RowScope
    /// The views that show rows of many tenants.
    private let viewsOfTenants: Set<String>
    let identities: [EntityIdentity]
    let keys: any KeyGiver
    /// How it was opened, where tenants' stores are opened beside it.
    let origin: StoreOrigin?
    /// How its history is read.
    let history: HistoryStore
    /// Whether triggers record what is saved.
    let recordsHistory: Bool
    /// Learns of commits while somebody observes.
    let feed: HistoryFeed
    /// The channel of this store's notifications.
    let historyChannel: String
    /// Tells observers of commits; `nil` where there is no history.
    let notifier: HistoryNotifier?
    /// Our share in the private server of the folder.
    private let ownServer: LocalServer?
    private let throwaway: ThrowawayStore?
    /// Whether it is a tenant's that was deleted.
    private let hasEnded = Atomic(false)

    init(
        _ configuration: ModelConfiguration, mapping: StoreMapping, pool: PostgresPool, replicas: ReplicaSet? = nil,
        identifier: String, rows: RowScope = .none,
        keys: any KeyGiver, origin: StoreOrigin? = nil, feed: HistoryFeed, number: Int32?, ownServer: LocalServer?,
        throwaway: ThrowawayStore?,
        logger: Logger, hasHistory: Bool = true
    ) {
        self.configuration = configuration
        self.mapping = mapping
        self.pool = pool
        self.replicas = replicas
        self.identifier = identifier
        self.rows = rows
        viewsOfTenants = mapping.viewsOfTenants
        self.keys = keys
        self.origin = configuration.tenants == nil ? nil : origin
        self.feed = feed
        historyChannel = "strata_history_\(number ?? 0)"
        self.ownServer = ownServer
        self.throwaway = throwaway
        recordsHistory =
            hasHistory && configuration.allowsSave && mapping.recordsHistory
            && mapping.entities.contains(where: \.entity.recordsHistory)
        notifier =
            recordsHistory && number != nil
            ? HistoryNotifier(feed, channel: historyChannel, pool: pool, logger: feed.logger) : nil
        identities = Self.identities(of: mapping, identifier, logger)
        history = HistoryStore(
            mapping: mapping, identifier: identifier, identities: identities, registry: HistoryRegistryCache())
    }

    /// The same store for the rows of one tenant, or of all: tables, connections, keys and the feed are those of `base`.
    init(_ base: Store, rows: RowScope, logger: Logger) {
        configuration = base.configuration
        mapping = base.mapping
        pool = base.pool
        replicas = base.replicas
        // What follows is no part of a UUID: an identifier of one tenant is none of another's store.
        identifier = base.identifier + (rows.tenant.map { "@" + $0.text } ?? "")
        self.rows = rows
        viewsOfTenants = base.viewsOfTenants
        keys = base.keys
        origin = nil
        history = HistoryStore(
            mapping: base.mapping, identifier: identifier,
            identities: Self.identities(of: base.mapping, identifier, logger), registry: HistoryRegistryCache())
        identities = history.identities
        recordsHistory = base.recordsHistory
        feed = base.feed
        historyChannel = base.historyChannel
        notifier = base.notifier
        (ownServer, throwaway) = (nil, nil)
    }

    private static func identities(
        of mapping: StoreMapping, _ identifier: String, _ logger: Logger
    ) -> [EntityIdentity] {
        mapping.entities.map { entity in
            EntityIdentity(store: identifier, entityName: entity.name) { property in
                logger.error(
                    """
                    A property that was not loaded was read of an object whose context is gone: it reads as empty. Keep the \
                    context as long as its objects, or prefetch.
                    """,
                    metadata: ["property": "\(property)"])
            }
        }
    }

    /// Throws for a class whose rows are of many tenants where none is named, and for a view of such rows: asked before anything is sent.
    func requireTenant(for entity: EntityMapping) throws(SwiftDataError) {
        guard case .none = rows, let first = mapping.tenant,
            let tenant = entity.descriptor.tenant ?? (viewsOfTenants.contains(entity.table.name) ? first : nil)
        else { return }
        throw SwiftDataError(
            .missingTenant,
            "\(entity.name) has rows of many tenants (\(tenant.qualifiedName)), and this context is of none: PostgreSQL would show it nothing. Make it of "
                + "a tenant's container: try await container.tenant(\"…\").")
    }

    /// The tenant was deleted. Its statements name a schema that another tenant of this name may have.
    func end() { hasEnded.store(true, ordering: .releasing) }

    /// Throws for the store of a tenant that was deleted: asked before each use of a connection.
    func requireLife() throws(SwiftDataError) {
        guard hasEnded.load(ordering: .acquiring) else { return }
        let name = configuration.tenants?.naming.tenant(of: mapping.schemaName) ?? mapping.schemaName
        throw SwiftDataError(
            .unknownTenant,
            "The tenant \"\(name)\" was deleted. If there is another of this name, make a context of it anew.")
    }

    /// Drops what was made to be thrown away and closes the connections. Blocks.
    ///
    /// - Parameter limit: how long whoever holds a connection may keep it; `nil` for the pool's time.
    func close(within limit: Duration? = nil) {
        if let throwawaySchema = throwaway?.schemaName {
            // Best effort: the server may be gone already.
            _ = try? pool.perform(SchemaRemoval(throwawaySchema), for: "drop \(throwawaySchema)")
        }
        replicas?.close(within: limit)
        pool.close(within: limit)
        if case .database(let database) = throwaway { database.drop() }
        ownServer?.stop()
    }
}
