import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

/// Many tasks write for many tenants over few connections, of which the server ends some and callers cancel others.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TenantLoadTests {
    /// What became of saves, by what they wrote.
    private final class Book: Sendable {
        private struct State {
            var saved: Set<String> = []
            var failed: Set<String> = []
            var unknown: Set<String> = []
        }

        private let state = Mutex(State())
        private let closed = Atomic(false)

        var isClosed: Bool { closed.load(ordering: .relaxed) }
        func close() { closed.store(true, ordering: .relaxed) }
        func saved(_ text: String) { _ = state.withLock { $0.saved.insert(text) } }
        func failed(_ text: String, _ error: any Error) {
            state.withLock { state in
                if (error as? SwiftDataError)?.code == .outcomeUnknown || error is CancellationError {
                    _ = state.unknown.insert(text)
                } else {
                    _ = state.failed.insert(text)
                }
            }
        }

        func check(against stored: [String]) {
            let (all, state) = (Set(stored), state.withLock { $0 })
            #expect(all.count == stored.count, "stored twice")
            #expect(state.saved.subtracting(all) == [], "saved, and not there")
            #expect(all.intersection(state.failed) == [], "failed, and there")
            #expect(all.subtracting(state.saved).subtracting(state.unknown) == [], "there, and not reported")
            // Else nothing was cut off, and the run says nothing.
            #expect(state.saved.count > 100 && !state.failed.isEmpty, "\(state.saved.count), \(state.failed.count)")
        }
    }

    private static let tenants = (0..<6).map { "t\($0)" }

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
        let (container, book) = (store.container, Book())
        for tenant in Self.tenants { try await container.createTenant(tenant) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<12 {
                group.addTask { try await Self.write(task, in: container, book) }
            }
            let end = ContinuousClock.now + time
            while .now < end {
                try await store.database.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                        + "AND state = 'active' AND pid <> pg_backend_pid() LIMIT 1")
                try await Task.sleep(for: .milliseconds(40))
            }
            book.close()
            try await group.waitForAll()
        }
        var stored: [String] = []
        for tenant in Self.tenants {
            let customers = try await store.customers(tenant)
            #expect(customers.allSatisfy { $0.hasPrefix(tenant + " ") }, "rows of others in \(tenant)")
            stored += customers
            // The history of each names what it has and nothing else: as many insertions as there are rows.
            let context = try await ModelContext(container, tenant: tenant)
            let changes = try await context.fetchHistory(HistoryDescriptor()).flatMap(\.changes).count
            #expect(changes == customers.count, "\(tenant)")
        }
        book.check(against: stored)
    }

    /// Saves one invoice after another, each for another tenant, and reads what the tenant has.
    private static func write(_ task: Int, in container: ModelContainer, _ book: Book) async throws {
        var number = 0
        while !book.isClosed, !Task.isCancelled {
            number += 1
            let tenant = tenants[(task &+ number &* 5) % tenants.count]
            let text = "\(tenant) \(task) \(number)"
            let (invoice, isDue) = (task * 1_000_000 + number, number.isMultiple(of: 7))
            let save = Task { () async throws -> Void in
                let context = try await ModelContext(container, tenant: tenant)
                context.insert(Invoice(invoice, customer: text))
                try await context.save()
            }
            if isDue {
                try? await Task.sleep(for: .microseconds(Int64(number % 11) * 200))
                save.cancel()
            }
            do {
                try await save.value
                book.saved(text)
            } catch { book.failed(text, error) }
            // What cannot be read is no concern of this test; what is read is.
            guard let context = try? await ModelContext(container, tenant: tenant),
                let all = try? await context.fetch(FetchDescriptor<Invoice>(), selecting: \.customer)
            else { continue }
            #expect(all.allSatisfy { $0.hasPrefix(tenant + " ") }, "\(tenant) has read rows of others")
        }
    }
}
