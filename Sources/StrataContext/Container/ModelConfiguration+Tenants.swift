import StrataRepository

extension ModelConfiguration {
    /// Where the tables of tenants are, and how many tenants a container keeps at hand.
    ///
    /// Each tenant has a PostgreSQL schema of its own, with all tables of the configuration's classes.
    public struct Tenants: Hashable, Sendable {
        /// How the names of the schemas begin: those of the tenant `acme` are in `tenant_acme` by default.
        ///
        /// The list of tenants has all schemas of stores that begin so, but for those of the container's own configurations. An empty prefix is refused
        /// when the container is opened: any schema would be a tenant's.
        public var prefix = "tenant_"
        /// Of how many tenants the container remembers where their tables are and what is sent for them, 100 by default, at least 1; the least recently
        /// used is forgotten first. One that was forgotten is looked at again when it is next asked for.
        public var maximumOpen = 100

        /// The defaults, or something else.
        public init(prefix: String = "tenant_", maximumOpen: Int = 100) {
            self.prefix = prefix
            self.maximumOpen = maximumOpen
        }

        package var naming: TenantNaming { TenantNaming(prefix: prefix) }
    }
}
