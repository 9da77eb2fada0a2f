import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

/// Tenants: the same classes with tables of their own for each of many customers, over the connections of one container.
///
/// ```swift
/// var configuration = ModelConfiguration(url: url)
/// configuration.tenants = ModelConfiguration.Tenants()
/// let container = try await ModelContainer(for: Trip.self, configurations: configuration)
/// try await container.createTenant("acme")
/// let context = try await ModelContext(container, tenant: "acme")
/// ```
///
/// Names have small letters of ASCII, digits, `_` and `-`, begin with a letter or a digit, and have with the prefix at most 63 bytes.
///
/// The other form has rows of all tenants in the same tables: see `@Attribute(.tenant)`.
extension ModelContainer {
    /// The container of a tenant: for contexts, model actors, observers, consumers of history and locks of that tenant alone.
    ///
    /// Its stores are those of this container with the tables in the tenant's PostgreSQL schema; what a configuration without
    /// ``ModelConfiguration/tenants`` keeps is the same for all. Identifiers, history tokens and objects of one tenant are refused by another
    /// (``SwiftDataError/unknownSchema``, ``SwiftDataError/foreignObject``). Connections, keys and replicas are shared; nothing of a tenant is on a connection,
    /// so that poolers need no setting for it.
    ///
    /// Where classes have an `@Attribute(.tenant)`, all tenants have the same tables, and row-level security shows each its rows: every batch of statements tells the
    /// server `strata.tenant`. Any value of the property names a tenant, whether it has rows or not. One round trip for the first: it asks whether the
    /// server follows the policies for this role. History is not shown (`unsupportedFeature`), since it has the keys of all.
    ///
    /// No round trip for a tenant that is at hand (``ModelConfiguration/Tenants/maximumOpen``). Otherwise it is looked at as a container that is opened:
    /// with ``MigrationPolicy/apply`` what is pending is applied, with ``MigrationPolicy/verify`` it is an error. Of a tenant's container, the one of another
    /// tenant.
    /// - Throws: ``SwiftDataError``: `unknownTenant`, `invalidTenantName`, `unsupportedFeature` for a container without tenants; what opening a container
    ///   throws, with the tenant's name.
    public func tenant(_ name: String) async throws -> ModelContainer {
        if let base { return try await base.tenant(name) }
        if hasTenantRows { return try await rowsContainer(of: name) }
        if let open = tenants.container(of: name, in: self) { return open }
        return tenants.add(name, try await TenantOpening(name, beside: stores, to: .open).open(), in: self)
    }

    /// The container of a tenant; blocks this thread. As the asynchronous form.
    public func tenant(_ name: String) throws -> ModelContainer {
        if let base { return try base.tenant(name) }
        if hasTenantRows { return try rowsContainer(of: name) }
        if let open = tenants.container(of: name, in: self) { return open }
        return tenants.add(name, try TenantOpening(name, beside: stores, to: .open).open(), in: self)
    }

    /// Creates a tenant: its PostgreSQL schema, the tables of the container's version, the history's triggers. Returns its container.
    ///
    /// Tables are made in one transaction; with a migration plan the version is recorded behind it. Other creators of the same database wait meanwhile,
    /// and of two calls for the same name one succeeds. A schema that has tables, or a store's record, is never handed over as a new tenant, whoever has
    /// made them; a call that was interrupted before the record is completed by `tenant(_:)`. With ``ModelConfiguration/Tenants/Placement/citus`` the schema is
    /// brought to a worker behind that; where it is not known whether that has happened, `storeFailure` says with which statement it is done. The role needs the right `CREATE` on the database.
    /// - Throws: ``SwiftDataError``: `tenantExists`, `invalidTenantName`, `readOnly`, `unsupportedFeature` for a container without tenants; ``MigrationError``
    ///   with ``MigrationPolicy/verify``, where another program makes the tables.
    @discardableResult
    public func createTenant(_ name: String) async throws -> ModelContainer {
        if let base { return try await base.createTenant(name) }
        if hasTenantRows { throw noCreationOfRows }
        let made = try await TenantOpening(name, beside: stores, to: .create).open()
        return tenants.replace(name, made, in: self)
    }

    /// Creates a tenant; blocks this thread. As the asynchronous form.
    @discardableResult
    public func createTenant(_ name: String) throws -> ModelContainer {
        if let base { return try base.createTenant(name) }
        if hasTenantRows { throw noCreationOfRows }
        let made = try TenantOpening(name, beside: stores, to: .create).open()
        return tenants.replace(name, made, in: self)
    }

    /// Deletes a tenant with everything that is stored of it: its PostgreSQL schema and all that is in it, its history, the record of its migrations.
    ///
    /// Of `@Attribute(.tenant)` its rows are deleted, of all classes in one statement; the history notes the deletions, and one who has no row is no error. Contexts of it go on, and
    /// a save of theirs makes it exist again.
    ///
    /// One transaction, which waits for those that use the tenant, and at most ten seconds for each of its tables. Contexts of it that are still in use get
    /// ``SwiftDataError/unknownTenant`` from then on, also where a tenant of the same name is created. Another container, as of another process, knows
    /// the tenant until a call of it fails, and does not notice a deletion and a creation between two calls: do not give a name to another tenant
    /// before they were started anew. Views, foreign keys and functions of other schemas that need its tables are dropped with them (`CASCADE`).
    /// - Throws: ``SwiftDataError``: `unknownTenant`, `invalidTenantName`, `readOnly`, `unsupportedFeature` for a container without tenants; `storeFailure`, for
    ///   instance while migrations of it are applied, or where the role does not own it.
    public func deleteTenant(_ name: String) async throws {
        if let base { return try await base.deleteTenant(name) }
        if hasTenantRows {
            for (store, deletion) in try rowDeletions(of: name) {
                do {
                    _ = try await store.pool.perform(
                        InTransaction(deletion, .readCommitted), for: "delete the tenant \(name)")
                } catch let error as PostgresError { throw refusal(of: name, error) }
                store.notifier?.committed()
            }
            return
        }
        for (store, removal) in try removals(of: name) {
            do {
                try requireRemoved(
                    try await store.pool.perform(
                        InTransaction(removal, .readCommitted), for: "delete the tenant \(name)"
                    ).operation, name)
            } catch let error as PostgresError { throw refusal(of: name, error) }
        }
        tenants.end(name)
    }

    /// Deletes a tenant with everything that is stored of it; blocks this thread. As the asynchronous form.
    public func deleteTenant(_ name: String) throws {
        if let base { return try base.deleteTenant(name) }
        if hasTenantRows {
            for (store, deletion) in try rowDeletions(of: name) {
                do {
                    _ = try store.pool.perform(
                        InTransaction(deletion, .readCommitted), for: "delete the tenant \(name)")
                } catch let error as PostgresError { throw refusal(of: name, error) }
                store.notifier?.committed()
            }
            return
        }
        for (store, removal) in try removals(of: name) {
            do {
                try requireRemoved(
                    try store.pool.perform(InTransaction(removal, .readCommitted), for: "delete the tenant \(name)")
                        .operation, name)
            } catch let error as PostgresError { throw refusal(of: name, error) }
        }
        tenants.end(name)
    }

    /// The names of all tenants, in ascending order. Two round trips a store.
    ///
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` for a container without tenants, `storeFailure`.
    public func tenantNames() async throws -> [String] {
        if let base { return try await base.tenantNames() }
        var names: Set<String> = []
        for (store, list) in try lists() {
            do { names.formUnion(try await store.pool.perform(list, for: "list tenants").tenants) } catch {
                throw refusalToList(error)
            }
        }
        return others(names)
    }

    /// The names of all tenants, in ascending order; blocks this thread.
    public func tenantNames() throws -> [String] {
        if let base { return try base.tenantNames() }
        var names: Set<String> = []
        for (store, list) in try lists() {
            do { names.formUnion(try store.pool.perform(list, for: "list tenants").tenants) } catch {
                throw refusalToList(error)
            }
        }
        return others(names)
    }

    // MARK: Parts

    private var storesOfTenants: [(store: Store, naming: TenantNaming)] {
        get throws {
            let found = stores.compactMap { store in store.configuration.tenants.map { (store, $0.naming) } }
            guard !found.isEmpty else { throw TenantOpening.noTenants }
            return found
        }
    }

    private func lists() throws -> [(Store, any TenantListing)] {
        if hasTenantRows { return try storesOfRows.map { ($0, TenantRowsList($0.mapping)) } }
        return try storesOfTenants.map { ($0.store, TenantList($0.naming)) }
    }

    private func refusalToList(_ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        let remedy =
            hasTenantRows && error.sqlState == "42501"
            ? " A role that sees the rows of one tenant at a time cannot know them all: ask with a container whose role has BYPASSRLS."
            : ""
        return SwiftDataError(
            .storeFailure, "The tenants could not be listed: \(error.message)\(remedy)", underlying: error)
    }

    /// Without the container's own, shared ones too, which may begin with the prefix.
    private func others(_ names: Set<String>) -> [String] {
        let namings = stores.compactMap { $0.configuration.tenants?.naming }
        let own = stores.flatMap { store in namings.compactMap { $0.tenant(of: store.mapping.schemaName) } }
        return names.subtracting(own).sorted()
    }

    private func removals(of name: String) throws -> [(Store, TenantRemoval)] {
        try storesOfTenants.map { store, naming in
            let schema = try naming.schema(of: name)
            // A shared configuration's too: its schema is nobody's to drop.
            guard !stores.contains(where: { $0.mapping.schemaName == schema }) else {
                throw TenantOpening.unknown(name)
            }
            guard store.configuration.allowsSave else {
                throw SwiftDataError(
                    .readOnly,
                    "The tenant \"\(name)\" was not deleted: the configuration \(store.configuration) does not allow changes."
                )
            }
            return (store, TenantRemoval(schema))
        }
    }

    private func requireRemoved(_ removal: TenantRemoval, _ name: String) throws(SwiftDataError) {
        switch removal.outcome {
        case .removed: return
        case .unknown: throw TenantOpening.unknown(name)
        case .underMigration:
            throw SwiftDataError(
                .storeFailure,
                "The tenant \"\(name)\" was not deleted: migrations of it are being applied. Try again later.")
        }
    }

    private func refusal(of name: String, _ error: PostgresError) -> SwiftDataError {
        SwiftDataError(.storeFailure, "The tenant \"\(name)\" was not deleted: \(error.message)", underlying: error)
    }

    /// What an error of the server means in a tenant's container, where it means that the tenant is not there any more.
    func absence(behind error: any Error) -> SwiftDataError? {
        guard let tenantName, !stores.contains(where: { $0.rows != .none }),
            let error = error as? PostgresError ?? (error as? SwiftDataError)?.underlying,
            // undefined_table, invalid_schema_name (manual, appendix A).
            ["42P01", "3F000"].contains(error.sqlState)
        else { return nil }
        tenants.forget(tenantName)
        return SwiftDataError(
            .unknownTenant,
            "The tenant \"\(tenantName)\" does not have its tables: it was deleted, or is being migrated. \(error.message)",
            underlying: error)
    }
}
