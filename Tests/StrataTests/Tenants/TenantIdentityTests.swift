import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

/// A tenant that was deleted, or whose schema has somebody's tables, is never taken for a new one.
@Suite(.timeLimit(.minutes(3))) struct TenantIdentityTests {
    private func blocking<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

    @Test func `a context of a deleted tenant does not reach a new one of the same name`() async throws {
        try await withTenants("acme") { store in
            let old = try await ModelContext(store.container, tenant: "acme")
            #expect(try await old.fetchCount(FetchDescriptor<Invoice>()) == 0)
            let closed = try await store.container.tenant("acme")
            // Nothing of the old one falls between deletion and creation.
            try await store.container.deleteTenant("acme")
            try await store.container.createTenant("acme")
            let new = try await ModelContext(store.container, tenant: "acme")
            new.insert(Invoice(1, customer: "new"))
            try await new.save()
            await expectError(.unknownTenant) { _ = try await old.fetch(FetchDescriptor<Invoice>()) }
            await expectError(.unknownTenant) { _ = try blocking { try old.fetch(FetchDescriptor<Invoice>()) } }
            old.insert(Invoice(2, customer: "old"))
            await expectError(.unknownTenant) { try await old.save() }
            await expectError(.unknownTenant) {
                _ = try await ModelContext(closed).fetchCount(FetchDescriptor<Invoice>())
            }
            await expectError(.unknownTenant) { _ = try await closed.currentHistoryToken() }
            #expect(try await store.customers("acme") == ["new"])
            #expect(new.container !== closed)
        }
    }

    @Test func `one that was opened before a deletion and is entered behind it does not stay under the name`()
        async throws
    {
        try await withTenants("acme") { store in
            let directory = store.container.tenants
            let late = try await TenantOpening("acme", beside: store.container.stores, to: .open).open()
            try await store.container.deleteTenant("acme")
            // What a call does that had looked before the deletion.
            let old = ModelContext(directory.add("acme", late, in: store.container))
            let other = try await store.reopened()
            try await other.createTenant("acme")
            await other.close()
            let made = try await TenantOpening("acme", beside: store.container.stores, to: .open).open()
            let new = directory.replace("acme", made, in: store.container)
            #expect(try await store.container.tenant("acme") === new)
            #expect(directory.add("acme", late, in: store.container) === new)
            await expectError(.unknownTenant) { _ = try await old.fetch(FetchDescriptor<Invoice>()) }
            #expect(try await ModelContext(new).fetchCount(FetchDescriptor<Invoice>()) == 0)
        }
    }

    @Test func `a container of a tenant that another process has made anew is ended when that is noticed`() async throws
    {
        try await withTenants("acme") { store in
            let old = try await ModelContext(store.container, tenant: "acme")
            let other = try await store.reopened()
            try await other.deleteTenant("acme")
            await expectError(.unknownTenant) { _ = try await old.fetch(FetchDescriptor<Invoice>()) }
            try await other.createTenant("acme")
            await other.close()
            #expect(try await ModelContext(store.container, tenant: "acme").fetchCount(FetchDescriptor<Invoice>()) == 0)
            await expectError(.unknownTenant) { _ = try await old.fetch(FetchDescriptor<Invoice>()) }
        }
    }

    @Test func `a schema with tables or a store's record is never a new tenant`() async throws {
        try await withTenants { store in
            try await store.database.execute(
                "CREATE SCHEMA tenant_a", "CREATE TABLE tenant_a.other (a integer)", "CREATE SCHEMA tenant_b")
            await expectError(.tenantExists) { try await store.container.createTenant("a") }
            #expect(try await store.container.tenantNames() == [])
            try await store.container.createTenant("b")
            // Somebody has dropped the schema by hand: its record is another tenant's.
            try await store.database.execute("DROP SCHEMA tenant_b CASCADE")
            await expectError(.tenantExists) { _ = try blocking { try store.container.createTenant("b") } }
            try await store.container.deleteTenant("b")
            try await store.container.createTenant("b")
            let error = try await #require(throws: SwiftDataError.self) { try await store.container.createTenant("b") }
            #expect(error.message.contains("baseline"), "\(error.message)")
        }
    }

    @Test func `a closed container of a tenant is not handed out again`() async throws {
        try await withTenants("acme") { store in
            let acme = try await store.container.tenant("acme")
            await acme.close()
            let again = try await store.container.tenant("acme")
            #expect(again !== acme)
            #expect(again.stores[0] === acme.stores[0])
            #expect(try await store.container.tenant("acme") === again)
            try await store.container.deleteTenant("acme")
            for container in [acme, again] {
                await expectError(.unknownTenant) {
                    _ = try await ModelContext(container).fetchCount(FetchDescriptor<Invoice>())
                }
            }
        }
    }

    @Test func `a schema of a shared configuration is no tenant's`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            var own = ModelConfiguration("own", schema: TenantStore.schema, url: url, postgresSchema: "template")
            own.tenants = ModelConfiguration.Tenants()
            let shared = ModelConfiguration(
                "shared", schema: Schema([ModelStoreOther.self]), url: url, postgresSchema: "tenant_shared")
            let container = try await ModelContainer(
                for: Schema([Invoice.self, InvoiceLine.self, ModelStoreOther.self]), configurations: own, shared)
            #expect(try await container.tenantNames() == [])
            await expectError(.unknownTenant) { try await container.deleteTenant("shared") }
            await expectError(.invalidTenantName) { try await container.createTenant("shared") }
            await expectError(.invalidTenantName) { _ = try await container.tenant("shared") }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<ModelStoreOther>()) == 0)
            let consumer = try await container.createTenant("acme").historyConsumer("mail")
            #expect(consumer.store.mapping.schemaName == "tenant_acme")
            await container.close()
        }
    }

    @Test func `tenants in several configurations are refused`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            var first = ModelConfiguration("first", schema: TenantStore.schema, url: url)
            first.tenants = ModelConfiguration.Tenants()
            var second = ModelConfiguration(
                "second", schema: Schema([ModelStoreOther.self]), url: url, postgresSchema: "second")
            second.tenants = ModelConfiguration.Tenants(prefix: "other_")
            await expectError(.unsupportedFeature) {
                _ = try await ModelContainer(
                    for: Schema([Invoice.self, InvoiceLine.self, ModelStoreOther.self]), configurations: first, second)
            }
        }
    }
}
