import Dispatch
import Foundation
package import Logging
package import StrataClient
public import StrataModels
import Synchronization

/// A schema and the stores its objects live in: connections, tables, and the contexts made from it.
///
/// Make one for the life of the process; it crosses isolation. Opening it connects, checks that the tables fit the
/// schema and creates missing ones (in one transaction, under a lock that other processes respect).
///
/// ```swift
/// let container = try await ModelContainer(for: Trip.self, BusinessTrip.self, PersonalTrip.self)
/// let context = ModelContext(container)
/// ```
public final class ModelContainer: Equatable, Sendable {
    /// The entities of all its stores.
    public let schema: Schema
    /// The migration plan that it was opened with, if it was.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The configurations at work: those that were given and keep at least one entity; a default one if none was given.
    public let configurations: Set<ModelConfiguration>
    /// Names this container in the history: `processIdentifier` of the transactions that its contexts commit. Tells its own
    /// changes from those of others; different in every process and for every container.
    public let processIdentifier: String
    /// The tenant whose container this is, as `ModelContainer.tenant(_:)` gives it; `nil` for a container that was opened.
    public let tenantName: String?
    /// The container whose connections a tenant's uses: it stays as long as this one.
    let base: ModelContainer?
    let stores: [Store]
    package let logger: Logger
    /// The observers that are told of calls.
    let calls: CallObservation?
    /// The same, one by one.
    package var callObservers: [any CallObserver] { calls?.observers ?? [] }
    /// What the observers of its history share.
    let observation: HistoryObservation
    /// The tenants that are open.
    let tenants: TenantDirectory
    /// What contexts tell the server of whose rows they see; `nil` where that is nothing.
    let rowSettings: CallSettings?
    private let closing = Atomic(false)
    /// Whether it was closed: a tenant's is not given out again then.
    var isClosed: Bool { closing.load(ordering: .acquiring) }

    package init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, migrations: MigrationPolicy = .apply,
        configurations: [ModelConfiguration], logger: Logger, observers: [any StatementObserver] = [],
        observer: (any PostgresObserver)?
    ) throws {
        (processIdentifier, tenantName, base, rowSettings) = (ProcessName.make(), nil, nil, nil)
        let opening = try ContainerOpening(
            schema, plan: migrationPlan, policy: migrations, configurations, logger, observers, observer)
        stores = try opening.open()
        self.schema = schema
        self.migrationPlan = migrationPlan
        self.configurations = opening.configurations
        self.logger = logger
        calls = CallObservation(observers)
        observation = HistoryObservation(stores)
        tenants = TenantDirectory(stores)
        RemoteChangeNotifications.shared.opened(self)
    }

    /// What asynchronous callers get as `init(for:…)`: see the module Strata.
    package init(
        opening schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        migrations: MigrationPolicy = .apply,
        configurations: [ModelConfiguration], logger: Logger, observers: [any StatementObserver] = [],
        observer: (any PostgresObserver)? = nil
    ) async throws {
        (processIdentifier, tenantName, base, rowSettings) = (ProcessName.make(), nil, nil, nil)
        let opening = try ContainerOpening(
            schema, plan: migrationPlan, policy: migrations, configurations, logger, observers, observer)
        stores = try await opening.open()
        self.schema = schema
        self.migrationPlan = migrationPlan
        self.configurations = opening.configurations
        self.logger = logger
        calls = CallObservation(observers)
        observation = HistoryObservation(stores)
        tenants = TenantDirectory(stores)
        RemoteChangeNotifications.shared.opened(self)
    }

    /// For a stage's closure, while the tables are on their way to another version: they are taken as they are.
    init(
        unverified parts: [(schema: Schema, server: PostgresConfiguration, schemaName: String)], logger: Logger
    ) throws {
        var stores: [Store] = []
        do {
            for part in parts where !part.schema.entities.isEmpty {
                let store = try StoreOpening.unverified(
                    part.schema, part.server, schemaName: part.schemaName, logger: logger)
                // A stage is about the rows of all tenants.
                stores.append(store.mapping.tenant == nil ? store : Store(store, rows: .all, logger: logger))
            }
        } catch {
            for store in stores { store.close() }
            throw error
        }
        let types = parts.flatMap { $0.schema.entities.map { $0.descriptor.type } }
        let version = parts.first?.schema.version ?? Schema.Version(1, 0, 0)
        schema = parts.count == 1 ? parts[0].schema : Schema(types, version: version)
        migrationPlan = nil
        configurations = Set(stores.map(\.configuration))
        self.stores = stores
        self.logger = logger
        calls = nil
        observation = HistoryObservation(stores)
        tenants = TenantDirectory(stores)
        (processIdentifier, tenantName, base) = (ProcessName.make(), nil, nil)
        rowSettings = Self.settings(of: stores)
    }

    private static func settings(of stores: [Store]) -> CallSettings? {
        stores.lazy.map(\.rows).first { $0 != .none }.flatMap { CallSettings($0.settings) }
    }

    /// A tenant's: its stores lie beside those of `base` and use its connections. Without a name, of all tenants' rows.
    init(tenant name: String?, of base: ModelContainer, _ stores: [Store]) {
        (processIdentifier, tenantName, self.base) = (base.processIdentifier, name, base)
        (schema, migrationPlan, logger, calls) = (base.schema, base.migrationPlan, base.logger, base.calls)
        self.stores = stores
        configurations = Set(stores.map(\.configuration))
        rowSettings = Self.settings(of: stores)
        observation = HistoryObservation(stores)
        tenants = base.tenants
        RemoteChangeNotifications.shared.opened(self)
    }

    deinit {
        RemoteChangeNotifications.shared.ended(ObjectIdentifier(self))
        guard base == nil, !isClosed else { return }
        // Closing waits for connections; whoever lets go of the last reference should not.
        let stores = stores
        DispatchQueue.global().async { for store in stores { store.close() } }
    }

    /// Closes all connections and drops what was stored in memory only. Contexts of this container, and of its tenants, fail
    /// afterwards. Blocks.
    ///
    /// The container of a tenant has no connections of its own: closing it ends what observes it, for all who share it, and nothing else;
    /// whoever asks for the tenant again gets another one.
    public func close() {
        close(nil)
    }

    /// - Parameter limit: how long calls under way have; `nil` for the pool's time.
    private func close(_ limit: Duration?) {
        guard !closing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        observation.close()
        RemoteChangeNotifications.shared.ended(ObjectIdentifier(self))
        if base == nil {
            for tenant in tenants.close() { tenant.close() }
            for store in stores { store.close(within: limit) }
        }
        // The task keeps the container: another one at the same address would lose its context.
        Task { @MainActor in MainContexts.shared.forget(self) }
    }

    /// Closes all connections and drops what was stored in memory only. Contexts of this container fail afterwards.
    public func close() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.close()
                continuation.resume()
            }
        }
    }

    /// Closes as ``close()``, except that calls under way have so long before their connections are cut.
    package func close(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.close(limit)
                continuation.resume()
            }
        }
    }

    /// A context for the main actor: for command-line tools and tests. A server makes one context a request instead.
    ///
    /// It saves by itself when the main actor has time (``ModelContext/autosaveEnabled``), as in SwiftData.
    @MainActor public var mainContext: ModelContext {
        MainContexts.shared.context(for: self)
    }

    /// Containers are equal when they are the same instance.
    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}

/// The contexts of the main actor, one a container. A context keeps its container, so both stay until the container is
/// closed.
@MainActor private final class MainContexts {
    static let shared = MainContexts()
    private var contexts: [ObjectIdentifier: ModelContext] = [:]

    func context(for container: ModelContainer) -> ModelContext {
        let id = ObjectIdentifier(container)
        if let context = contexts[id] { return context }
        let context = ModelContext(container)
        context.turns = .main
        context.autosaveEnabled = true
        contexts[id] = context
        return context
    }

    func forget(_ container: ModelContainer) {
        contexts[ObjectIdentifier(container)] = nil
    }
}
