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
        /// How many different statements a connection prepares, of whichever tenants, before a new connection takes its place: 1,024 by default, at least 1.
        ///
        /// The server's process keeps what it has learned of each table, and the functions of its triggers, for as long as the connection lives: some
        /// 0.2 MB for each statement. So this bounds its memory, to some 200 MB. A new connection costs the time of connecting, and its process learns
        /// anew what it needs. It does not count with `preparedStatements: .unnamed`: there the pooler bounds it (PgBouncer's `server_lifetime`).
        public var statementsPerConnection = 1024

        /// Where the tables of new tenants are, on the server by default.
        public var placement = Placement.server

        /// On which machine the PostgreSQL schema of a tenant is.
        public enum Placement: Hashable, Sendable {
            /// On the server that the configuration names.
            case server
            /// On a worker of Citus, which chooses one (schema-based sharding, Citus 12 or later): the configuration names the coordinator.
            ///
            /// Citus takes no triggers, so that no class of a tenant may record history: see ``ModelConfiguration/recordsHistory``. What is said with
            /// `NOTIFY`, and all that follows a history, is not to be had there.
            case citus
        }

        /// The defaults, or something else.
        public init(
            prefix: String = "tenant_", maximumOpen: Int = 100, statementsPerConnection: Int = 1024,
            placement: Placement = .server
        ) {
            self.prefix = prefix
            self.maximumOpen = maximumOpen
            self.statementsPerConnection = statementsPerConnection
            self.placement = placement
        }

        package var naming: TenantNaming { TenantNaming(prefix: prefix) }
    }
}
