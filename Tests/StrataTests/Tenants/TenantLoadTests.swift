import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Many tasks write for many tenants over few connections, of which the server ends some and callers cancel others.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TenantLoadTests {
    @Test func `no row of one tenant is ever another's, whatever becomes of connections and tasks`() async throws {
        try await load(for: isSoak ? .seconds(60) : .seconds(4))
    }

    @Test(.enabled(if: PgBouncer.isThere, "make test-pooler"))
    func `nor through PgBouncer in transaction mode`() async throws {
        try await withTestDatabase(template: .tables(of: TenantStore.schema)) { database in
            let pooler = try await PgBouncer(before: database.configuration, PgBouncer.Settings())
            defer { pooler.stop() }
            let url = try #require(pooler.url(for: database))
            let container = try await TenantStore.container(of: database, observer: nil) {
                $0.url = url
                $0.preparedStatements = .unnamed
            }
            try await run(
                TenantStore(database: database, container: container, recorder: StatementRecorder()), .seconds(4))
            await container.close()
        }
    }

    private func load(for time: Duration) async throws {
        // Fewer statements than the tenants have, so that they are prepared and forgotten all the time.
        func configure(_ configuration: inout ModelConfiguration) {
            configuration.pool = ModelConfiguration.Pool(maximumConnections: 5)
            configuration.preparedStatements = .named(limit: 12)
        }
        try await withTenants(configure: configure) { store in try await run(store, time) }
    }

    private func run(_ store: TenantStore, _ time: Duration) async throws {
        let load = TenantLoad(store.container)
        try await load.run(for: time) {
            try await store.database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                    + "AND state = 'active' AND pid <> pg_backend_pid() LIMIT 1")
            try await Task.sleep(for: .milliseconds(40))
        }
        try await load.check { tenant in
            let customers = try await store.customers(tenant)
            // The history of each names what it has and nothing else: as many insertions as there are rows.
            let context = try await ModelContext(store.container, tenant: tenant)
            let changes = try await context.fetchHistory(HistoryDescriptor()).flatMap(\.changes).count
            #expect(changes == customers.count, "\(tenant)")
            return customers
        }
        // Else nothing was cut off, and the run says nothing.
        #expect(load.book.counts.failed > 0)
    }
}
