import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

extension TenantOptions {
    /// What a command does with the database, or with each tenant of it.
    ///
    /// - Parameter verb: what is done, for a summary: `applied to`.
    func perform(
        on work: DatabaseWork, in session: ToolSession, _ common: CommonOptions, doing verb: String,
        _ body: @Sendable @escaping (DatabaseWork) throws -> any CommandResult
    ) throws -> any CommandResult {
        guard let tenants else { return try body(work) }
        let naming = prefix.naming(common)
        let all = try work.tenants(naming, without: common.schema)
        let chosen: [String]
        switch tenants {
        case .all:
            // A deployment that finds nobody has a wrong prefix, or a wrong database.
            guard !all.isEmpty else {
                throw MigrationError(
                    .usage, "There are no tenants whose PostgreSQL schemas begin with \"\(naming.prefix)\".",
                    remedy: "say how they begin with --tenant-prefix or in strata.json, or leave --tenants out")
            }
            chosen = all
        case .named(let names):
            for name in names { _ = try naming.migratedSchema(of: name) }
            let unknown = names.filter { !all.contains($0) }
            guard unknown.isEmpty else {
                throw MigrationError(
                    .usage, "There is no tenant \(unknown.joined(separator: ", ")).",
                    remedy: "tenants list names them, tenants create makes one")
            }
            chosen = names
        }
        let outcomes = try ParallelWork(limit: parallel ?? 4).perform(chosen) { tenant in
            do {
                let moved = try work.moved(to: tenant, in: naming.migratedSchema(of: tenant))
                return TenantOutcome(tenant: tenant, content: .result(try body(moved)))
            } catch { return TenantOutcome(tenant: tenant, content: .failure(MigrationError(reporting: error))) }
        }
        return TenantsResult(verb: verb, tenants: outcomes)
    }
}

extension TenantNaming {
    /// The schema of a tenant, or an error of the tool.
    func migratedSchema(of tenant: String) throws(MigrationError) -> String {
        do { return try schema(of: tenant) } catch { throw MigrationError(.usage, error.message) }
    }
}

extension DatabaseWork {
    /// The tenants that there are, without the schema that is none's.
    func tenants(_ naming: TenantNaming, without own: String) throws -> [String] {
        try address.tenants(naming, without: own)
    }
}

extension DatabaseAddress {
    /// The tenants that there are, without the schema that is none's.
    func tenants(_ naming: TenantNaming, without own: String) throws -> [String] {
        try withConnection { connection in
            var list = TenantList(naming)
            try connection.perform(&list)
            let own = naming.tenant(of: own)
            return list.tenants.filter { $0 != own }
        }
    }
}
