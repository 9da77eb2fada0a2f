import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

/// Many tasks write rows of six tenants into the same tables over few connections, of which the server ends some and callers cancel others.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RowTenantLoadTests {
    private static let tenants = (0..<6).map { "t\($0)" }

    @Test func `no row of one tenant is ever another's, whatever becomes of connections and tasks`() async throws {
        try await withRowTenants(configure: Self.configure) { store in try await run(store, store.container) }
    }

    @Test(.enabled(if: PgBouncer.isThere, "make test-pooler"))
    func `nor through PgBouncer in transaction mode`() async throws {
        try await withRowTenants { store in
            var configuration = store.database.configuration
            configuration.options["user"] = store.role
            let pooler = try await PgBouncer(before: configuration, PgBouncer.Settings())
            defer { pooler.stop() }
            let url = try #require(pooler.url(for: store.database))
            let container = try await RowTenantStore.container(
                of: url.appending(queryItems: [URLQueryItem(name: "user", value: store.role)])
            ) {
                Self.configure(&$0)
                $0.preparedStatements = .unnamed
            }
            try await run(store, container)
            await container.close()
        }
    }

    /// Statements are prepared and forgotten all the time.
    private static func configure(_ configuration: inout ModelConfiguration) {
        configuration.pool = ModelConfiguration.Pool(maximumConnections: 5)
        configuration.preparedStatements = .named(limit: 4)
    }

    private func run(_ store: RowTenantStore, _ container: ModelContainer) async throws {
        let book = TenantLoad.Book()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<12 { group.addTask { try await Self.write(task, in: container, book) } }
            let end = ContinuousClock.now + (isSoak ? .seconds(60) : .seconds(4))
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
        }
        book.check(against: stored)
        // A line belongs to a receipt of its tenant, a refund has its receipt, and nobody's row is anywhere.
        #expect(
            try await store.database.texts(
                """
                SELECT l.text FROM receipt_line l JOIN receipt r ON r.pk = l.receipt WHERE r.tenant <> l.tenant
                UNION ALL SELECT r.customer FROM receipt r WHERE r.tenant NOT LIKE 't_'
                UNION ALL SELECT r.customer FROM receipt r LEFT JOIN receipt_line l ON l.receipt = r.pk WHERE l.pk IS NULL
                UNION ALL SELECT r.customer FROM receipt r LEFT JOIN refund f USING (pk) WHERE (r.class = 'Refund') <> (f.pk IS NOT NULL)
                """) == [])
        // Else nothing was cut off, and the run says nothing.
        #expect(book.counts.failed > 0)
    }

    /// Saves one receipt after another, each for another tenant and with numbers that all tenants have, and reads what the tenant has.
    private static func write(_ task: Int, in container: ModelContainer, _ book: TenantLoad.Book) async throws {
        var number = 0
        while !book.isClosed, !Task.isCancelled {
            number += 1
            let tenant = tenants[(task &+ number &* 5) % tenants.count]
            let text = "\(tenant) \(task) \(number)"
            let (place, isRefund) = (task * 1_000_000 + number, number.isMultiple(of: 3))
            let save = Task { () async throws -> Void in
                let context = try await ModelContext(container, tenant: tenant)
                let receipt =
                    isRefund ? Refund(place, customer: text, reason: "r") : Receipt(place, customer: text)
                context.insert(receipt)
                context.insert(ReceiptLine(text, of: receipt))
                try await context.save()
            }
            if number.isMultiple(of: 7) {
                try? await Task.sleep(for: .microseconds(Int64(number % 11) * 200))
                save.cancel()
            }
            do {
                try await save.value
                book.saved(text)
            } catch { book.failed(text, error) }
            // What cannot be read is no concern of this test; what is read is.
            guard let context = try? await ModelContext(container, tenant: tenant),
                let all = try? await context.fetch(FetchDescriptor<Receipt>(), selecting: \.customer),
                let raw = try? await context.fetch(String.self, sql: "SELECT text FROM receipt_line")
            else { continue }
            #expect((all + raw).allSatisfy { $0.hasPrefix(tenant + " ") }, "\(tenant) has read rows of others")
            // A connection that has served a tenant says nothing of it to whoever comes next.
            guard let none = try? await ModelContext(container).fetch(Int.self, sql: "SELECT count(*) FROM receipt")
            else {
                continue
            }
            #expect(none == [0])
        }
    }
}
