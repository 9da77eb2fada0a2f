import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

/// Opens the stores of a tenant beside those of its container, or makes them.
struct TenantOpening: Sendable {
    enum Purpose { case open, create }

    private let name: String
    private let base: [Store]
    private let purpose: Purpose
    private let parts: [Part]

    /// A store of the tenant that has yet to be opened.
    private struct Part: Sendable {
        /// Where the container has the store of the same classes.
        let index: Int
        let naming: TenantNaming
        let opening: StoreOpening
        let begun: StoreOpening.Opening
        let placement: ModelConfiguration.Tenants.Placement
        var schema: String { begun.mapping.schemaName }
    }

    /// Throws for a name that no tenant can have, and for a container without tenants. Sends nothing.
    init(_ name: String, beside base: [Store], to purpose: Purpose) throws {
        (self.name, self.base, self.purpose) = (name, base, purpose)
        parts = try base.enumerated().compactMap { index, store in
            guard let tenants = store.configuration.tenants, let origin = store.origin else { return nil }
            let naming = tenants.naming
            let schema = try naming.schema(of: name)
            guard !base.contains(where: { $0.mapping.schemaName == schema }) else {
                throw SwiftDataError(
                    .invalidTenantName,
                    "\"\(name)\" cannot be the name of a tenant: the PostgreSQL schema \"\(schema)\" has the container's own tables."
                )
            }
            let opening = origin.opening.opening(ofTenant: schema)
            return Part(
                index: index, naming: naming, opening: opening, begun: opening.begin(beside: origin.begun),
                placement: tenants.placement)
        }
        guard !parts.isEmpty else { throw Self.noTenants }
        try requirePlaceable()
        if purpose == .create, let reader = parts.first(where: { !$0.opening.configuration.allowsSave }) {
            throw SwiftDataError(
                .readOnly,
                "The tenant \"\(name)\" was not created: the configuration \(reader.opening.configuration) does not allow changes."
            )
        }
    }

    /// Throws where Citus would refuse the tables of a tenant, or has taken them without what the classes say.
    private func requirePlaceable() throws(SwiftDataError) {
        for part in parts where part.placement == .citus && part.begun.mapping.recordsHistory {
            let recorded = part.begun.mapping.entities.filter(\.descriptor.recordsHistory).map(\.name)
            guard !recorded.isEmpty else { continue }
            throw SwiftDataError(
                .unsupportedFeature,
                "The tenant \"\(name)\" was not \(purpose == .create ? "created" : "opened"): Citus takes no tables with triggers, and these classes "
                    + "record history: "
                    + "\(recorded.joined(separator: ", ")). Set recordsHistory of the configuration, and of its migration plan, to false, or "
                    + "the placement of tenants to .server.")
        }
    }

    static let noTenants = SwiftDataError(
        .unsupportedFeature,
        "The container has no tenants. Say where their tables are: configuration.tenants = ModelConfiguration.Tenants()."
    )

    static func unknown(_ name: String, underlying: PostgresError? = nil) -> SwiftDataError {
        SwiftDataError(
            .unknownTenant,
            "There is no tenant \"\(name)\", or it is not complete. Create it (createTenant, or the command tenants create).",
            underlying: underlying)
    }

    /// Opens the stores; blocks this thread.
    func open() throws -> [Store] {
        do {
            try require(parts.map { try $0.begun.pool.perform(presence(of: $0), for: "look for the tenant") })
            for part in parts where isPlaced(part) {
                let lookup = try part.begun.pool.perform(SchemaDistributionLookup(), for: "look for Citus")
                try Self.requireCitus(lookup, name)
            }
            let created = try migrate()
            var stores = base
            for (part, identity) in zip(parts, created) {
                var identity = identity
                if let creation = creation(of: part) {
                    identity = try part.begun.pool.perform(creation, for: "create the tenant").identity
                }
                if isPlaced(part) { try place(part) }
                stores[part.index] = try part.opening.complete(part.begun, created: identity)
            }
            return stores
        } catch { throw explain(error) }
    }

    /// Opens the stores without blocking a thread, but for migrations, which happen on a thread of their own.
    func open() async throws -> [Store] {
        do {
            var found: [TenantList] = []
            for part in parts {
                found.append(try await part.begun.pool.perform(presence(of: part), for: "look for the tenant"))
            }
            try require(found)
            for part in parts where isPlaced(part) {
                let lookup = try await part.begun.pool.perform(SchemaDistributionLookup(), for: "look for Citus")
                try Self.requireCitus(lookup, name)
            }
            let created =
                parts.contains { $0.opening.migration != nil }
                ? try await BlockingThread.value("strata.open") { try migrate() } : parts.map { _ in nil }
            var stores = base
            for (part, identity) in zip(parts, created) {
                var identity = identity
                if let creation = creation(of: part) {
                    identity = try await part.begun.pool.perform(creation, for: "create the tenant").identity
                }
                if isPlaced(part) { try await place(part) }
                stores[part.index] = try await part.opening.complete(part.begun, created: identity)
            }
            return stores
        } catch { throw explain(error) }
    }

    /// Makes the tables where no migration does.
    private func creation(of part: Part) -> StorePreparation? {
        guard purpose == .create, part.opening.migration == nil else { return nil }
        return StorePreparation(creating: part.begun.mapping, onlyNew: true)
    }

    /// Whether the tables of a new tenant go to a worker when they are made.
    private func isPlaced(_ part: Part) -> Bool { purpose == .create && part.placement == .citus }

    private func place(_ part: Part) throws {
        let placing = SchemaDistribution(part.schema)
        do { _ = try part.begun.pool.perform(placing, for: "place the tenant") } catch {
            throw unplaced(error, placing)
        }
    }

    private func place(_ part: Part) async throws {
        let (placing, pool) = (SchemaDistribution(part.schema), part.begun.pool)
        // A task of its own: the tables are made, and a call that is cancelled now would leave them on the coordinator.
        let task = Task { _ = try await pool.perform(placing, for: "place the tenant") }
        do { try await task.value } catch { throw unplaced(error, placing) }
    }

    private func unplaced(_ error: any Error, _ placing: SchemaDistribution) -> SwiftDataError {
        let failure = error as? PostgresError
        return SwiftDataError(
            .storeFailure,
            "The tenant \"\(name)\" was created on the coordinator, and it was not confirmed that it is on a worker of Citus: "
                + "\(failure?.sentence ?? "\(error).") It can be used where it is. This brings it to a worker, also when it is there: \(placing.sql)",
            underlying: failure)
    }

    private static func requireCitus(_ lookup: SchemaDistributionLookup, _ name: String) throws(SwiftDataError) {
        guard !lookup.isThere else { return }
        throw SwiftDataError(
            .unsupportedFeature,
            "The tenant \"\(name)\" was not created: its placement is .citus, and the server is no coordinator of Citus 12 or later. Connect to "
                + "one, or set the placement of tenants to .server.")
    }

    private func presence(of part: Part) -> TenantList { TenantList(part.naming, schema: part.schema) }

    private func require(_ found: [TenantList]) throws(SwiftDataError) {
        let isThere = found.map { !$0.tenants.isEmpty }
        switch purpose {
        case .open: guard isThere.allSatisfy(\.self) else { throw Self.unknown(name) }
        case .create: guard !isThere.contains(true) else { throw exists }
        }
    }

    /// Brings each store to the container's version, as the container's policy says. Returns, store by store, the identity of those whose tables
    /// were made here.
    private func migrate() throws -> [StoreIdentity?] {
        try parts.map { part in
            guard let migration = part.opening.migration, let place = part.opening.migrationPlace(part.begun) else {
                return nil
            }
            let standing = try migration.standing(in: place)
            switch (standing, purpose) {
            case (.recorded(migration.target), .open): return nil
            case (.empty, .open): throw Self.unknown(name)
            // Tables without a record may be another customer's, or another call's that has not recorded them yet.
            case (.recorded, .create), (.unrecorded, .create): throw exists
            case (.unrecorded, .open), (.recorded, .open), (.empty, .create): break
            }
            let identity = try ContainerMigration(stores: [(migration, place)]).run()[0]
            // Who finds the tables of another call made none.
            if purpose == .create, identity == nil { throw exists }
            return identity
        }
    }

    private var exists: SwiftDataError {
        SwiftDataError(.tenantExists, "There is a tenant \"\(name)\" already. \(Self.whatToDo)")
    }

    private static let whatToDo =
        "Nothing was changed. If its creation was interrupted, open it: tenant(_:) records tables that have no record, as the command "
        + "baseline does; or delete it. Else choose another name."

    /// The same error, which says whose it is.
    private func explain(_ error: any Error) -> any Error {
        switch error {
        case let error as SwiftDataError where error.code == .tenantExists:
            return error.message.contains(Self.whatToDo)
                ? error : SwiftDataError(.tenantExists, "The tenant \"\(name)\": \(error.message) \(Self.whatToDo)")
        case let error as SwiftDataError where !error.message.contains("\"\(name)\""):
            return error.preceded(by: "The tenant \"\(name)\": ")
        case let error as MigrationError:
            return MigrationError(
                error.code, "The tenant \"\(name)\": \(error.message)", places: error.places, remedy: error.remedy,
                underlying: error.underlying)
        case let error as PostgresError:
            return SwiftDataError(
                .loadIssueModelContainer, "The tenant \"\(name)\" could not be opened: \(error.message)",
                underlying: error)
        default: return error
        }
    }
}
