import StrataClient
import StrataModels
import StrataRepository

/// Tenants whose rows lie in the same tables (`@Attribute(.tenant)`): row-level security keeps them apart.
extension ModelContainer {
    /// A container that sees the rows of all tenants of `@Attribute(.tenant)`, for administrators and reports.
    ///
    /// ```swift
    /// let everybody = try await container.allTenants()
    /// let invoices = try await ModelContext(everybody).fetchCount(FetchDescriptor<Invoice>())
    /// ```
    /// The role of the connection must be a superuser or have BYPASSRLS, which the role of a service must not: open another container for it. Each statement is sent with
    /// `row_security = off`, so that the server refuses what a policy would hide rows from; nothing is left out silently. New objects name their tenant
    /// themselves. One round trip a store.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` for a role that policies bind, and for a container without such classes; `storeFailure`.
    public func allTenants() async throws -> ModelContainer {
        if let base { return try await base.allTenants() }
        for store in try storesOfRows {
            try store.requireLife()
            let lookup = try await store.pool.perform(RowSecurityLookup(store.mapping), for: "look for policies")
            try Self.requireSight(lookup.answer)
        }
        return ModelContainer(tenant: nil, of: self, stores(seeing: { _ in .all }))
    }

    /// A container that sees the rows of all tenants; blocks this thread. As the asynchronous form.
    public func allTenants() throws -> ModelContainer {
        if let base { return try base.allTenants() }
        for store in try storesOfRows {
            try store.requireLife()
            let lookup = try store.pool.perform(RowSecurityLookup(store.mapping), for: "look for policies")
            try Self.requireSight(lookup.answer)
        }
        return ModelContainer(tenant: nil, of: self, stores(seeing: { _ in .all }))
    }

    // MARK: Of one tenant

    /// Whether classes have rows of many tenants.
    var hasTenantRows: Bool { stores.contains { $0.mapping.tenant != nil } }

    /// The stores of a tenant's rows, where the server keeps them from others.
    func rowsContainer(of name: String) async throws -> ModelContainer {
        let tenant = try rowTenant(name)
        if let open = tenants.container(of: tenant, in: self) { return open }
        for store in try storesOfRows where !tenants.isProtected(store) {
            try store.requireLife()
            let lookup = try await store.pool.perform(RowSecurityLookup(store.mapping), for: "look for policies")
            try requireProtection(lookup.answer, store, tenant)
        }
        return tenants.add(tenant, try stores(of: name), in: self)
    }

    /// As the asynchronous form; blocks this thread.
    func rowsContainer(of name: String) throws -> ModelContainer {
        let tenant = try rowTenant(name)
        if let open = tenants.container(of: tenant, in: self) { return open }
        for store in try storesOfRows where !tenants.isProtected(store) {
            try store.requireLife()
            let lookup = try store.pool.perform(RowSecurityLookup(store.mapping), for: "look for policies")
            try requireProtection(lookup.answer, store, tenant)
        }
        return tenants.add(tenant, try stores(of: name), in: self)
    }

    var noCreationOfRows: SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "A tenant whose rows lie beside those of others (@Attribute(.tenant)) is not created: it is there with its first row. Ask for it: "
                + "container.tenant(_:).")
    }

    /// What deletes the rows of a tenant, store by store.
    func rowDeletions(of name: String) throws -> [(Store, TenantRowsDeletion)] {
        try storesOfRows.map { store in
            guard store.configuration.allowsSave else {
                throw SwiftDataError(
                    .readOnly,
                    "The tenant \"\(name)\" was not deleted: the configuration \(store.configuration) does not allow changes."
                )
            }
            try store.requireLife()
            return (store, TenantRowsDeletion(try Self.tenant(name, in: store), in: store.mapping))
        }
    }

    /// The stores that have rows of many tenants.
    var storesOfRows: [Store] {
        get throws {
            let found = stores.filter { $0.mapping.tenant != nil }
            guard !found.isEmpty else {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "No class of the container has rows of many tenants. Mark a property of theirs: @Attribute(.tenant) var tenant = \"\"."
                )
            }
            return found
        }
    }

    private func stores(of name: String) throws -> [Store] {
        let names = try stores.map { $0.mapping.tenant == nil ? nil : try Self.tenant(name, in: $0) }
        return stores(seeing: { index in names[index].map { .tenant($0) } ?? .none })
    }

    /// Stores without such classes are the same for all.
    private func stores(seeing rows: (Int) -> RowScope) -> [Store] {
        stores.enumerated().map { index, store in
            store.mapping.tenant == nil ? store : Store(store, rows: rows(index), logger: logger)
        }
    }

    /// One name is told to the server, whichever store a statement is for.
    private func rowTenant(_ name: String) throws -> String {
        let stores = try storesOfRows
        let types = stores.compactMap(\.mapping.tenant)
        if let other = types.first(where: { $0.columnType != types[0].columnType }) {
            throw SwiftDataError(
                .unsupportedFeature,
                "\(types[0].qualifiedName) is \(types[0].valueType), and \(other.qualifiedName), of another configuration, is \(other.valueType): a tenant has "
                    + "one name. Give both the same type.")
        }
        return try Self.tenant(name, in: stores[0]).text
    }

    private static func tenant(_ name: String, in store: Store) throws(SwiftDataError) -> TenantName {
        guard let property = store.mapping.tenant else { throw TenantOpening.noTenants }
        guard let tenant = TenantName(name, as: property.valueType) else {
            let shown = name.count > 100 ? "\(name.prefix(100))…" : name
            throw SwiftDataError(
                .invalidTenantName,
                "\"\(shown)\" cannot be the name of a tenant: \(property.qualifiedName) is \(property.valueType), which names one by "
                    + "\(TenantName.meaning(property.valueType)).")
        }
        return tenant
    }

    /// Throws where the server would show a tenant the rows of others.
    private func requireProtection(
        _ answer: RowSecurityLookup.Answer, _ store: Store, _ tenant: String
    ) throws(SwiftDataError) {
        if answer.shown.isEmpty, answer.views.isEmpty {
            tenants.noteProtected(store)
            return
        }
        let reason =
            answer.shown.isEmpty
            ? "what their owners may see is shown by the views \(answer.views.joined(separator: ", ")). ALTER VIEW … SET (security_invoker = true)"
            : answer.isExempt
                ? "the role \"\(answer.role)\" is a superuser or has BYPASSRLS, and PostgreSQL follows no policy for it. Connect as a role without both, "
                    + "which may own the tables"
                : "row-level security is not active for \(answer.shown.joined(separator: ", ")). Open the container once with a role that may create the "
                    + "policies, or apply the migrations"
        throw SwiftDataError(
            .unsupportedFeature, "The tenant \"\(tenant)\" would see the rows of others: \(reason).")
    }

    /// Throws where the server would hide rows from an administrator.
    private static func requireSight(_ answer: RowSecurityLookup.Answer) throws(SwiftDataError) {
        guard !answer.hidden.isEmpty else { return }
        throw SwiftDataError(
            .unsupportedFeature,
            "The role \"\(answer.role)\" does not see all rows of \(answer.hidden.joined(separator: ", ")): it is bound by their policies. Connect as a superuser, "
                + "or as a role with BYPASSRLS: ALTER ROLE … BYPASSRLS.")
    }
}

extension ModelContainer {
    /// Throws in a tenant's container, where the history would show the keys of all tenants.
    func requireVisibleHistory() throws(SwiftDataError) {
        if let refusal = refusalOfHistory { throw refusal }
    }

    /// Why no history is shown; `nil` where it is.
    var refusalOfHistory: SwiftDataError? {
        guard stores.contains(where: \.rows.hidesHistory) else { return nil }
        return SwiftDataError(
            .unsupportedFeature,
            "The history has the keys of all tenants' rows, and this is the container of \"\(tenantName ?? "")\": it is not shown here. Observe results "
                + "(results(of:)), or read the history in a container of no tenant.")
    }
}
