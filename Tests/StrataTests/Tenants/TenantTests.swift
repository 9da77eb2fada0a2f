import Foundation
import Logging
import Requests
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

/// The same classes with tables of their own for each tenant, over one pool.
@Suite(.timeLimit(.minutes(3))) struct TenantTests {
    @Test func `a server without Citus places no tenant on its workers`() async throws {
        func configure(_ configuration: inout ModelConfiguration) {
            configuration.recordsHistory = false
            configuration.tenants = ModelConfiguration.Tenants(placement: .citus)
        }
        try await withTenants(configure: configure) { store in
            let error = try await #require(throws: SwiftDataError.self) { try await store.container.createTenant("a") }
            #expect(error.code == .unsupportedFeature)
            #expect(
                error.message
                    == "The tenant \"a\" was not created: its placement is .citus, and the server is no coordinator of Citus 12 or later. Connect to "
                    + "one, or set the placement of tenants to .server.")
            #expect(try await store.container.tenantNames() == [])
        }
    }

    @Test func `contexts of two tenants read and write their own tables over one pool`() async throws {
        try await withTenants("acme", "beta") { store in
            let acme = try await ModelContext(store.container, tenant: "acme")
            let beta = try await ModelContext(store.container, tenant: "beta")
            let invoice = Invoice(1, customer: "Ada")
            acme.insert(invoice)
            acme.insert(InvoiceLine("work", of: invoice))
            beta.insert(Invoice(1, customer: "Bob"))
            try await acme.save()
            try await beta.save()
            #expect(try await store.customers("acme") == ["Ada"])
            #expect(try await store.customers("beta") == ["Bob"])
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Invoice>()) == 0)

            let reader = try await ModelContext(store.container, tenant: "acme")
            let found = try await reader.fetch(FetchDescriptor<Invoice>())
            #expect(found.map(\.customer) == ["Ada"])
            // Loaded when it is read, by values, by SQL, by deletion: each finds the same tables.
            #expect(found[0].lines.map(\.text) == ["work"])
            #expect(try await reader.fetch(FetchDescriptor<Invoice>(), selecting: \.customer) == ["Ada"])
            #expect(try await reader.fetch(String.self, sql: "SELECT customer FROM \(Invoice.self)") == ["Ada"])
            try reader.delete(model: Invoice.self)
            try await reader.save()
            #expect(try await store.customers("acme") == [])
            #expect(try await store.customers("beta") == ["Bob"])
            #expect(store.container.poolUse.count == 1)
            #expect(reader.container.tenantName == "acme")
            #expect(reader.container.configurations.map(\.postgresSchema) == ["tenant_acme"])
        }
    }

    @Test func `a tenant that is at hand costs no round trip, and blocking callers get the same container`()
        async throws
    {
        try await withTenants("acme") { store in
            let acme = try await store.container.tenant("acme")
            store.recorder.reset()
            #expect(try await store.container.tenant("acme") === acme)
            #expect(try blocking { try store.container.tenant("acme") } === acme)
            #expect(try blocking { try ModelContext(store.container, tenant: "acme").container } === acme)
            // Of a tenant's container, the one of another.
            #expect(try await acme.tenant("acme") === acme)
            #expect(store.recorder.roundTrips == 0)
            _ = try await ModelContext(store.container, tenant: "acme").fetch(FetchDescriptor<Invoice>())
            #expect(store.recorder.roundTrips == 1)
        }
    }

    @Test func `connections are replaced for what they have prepared where there are tenants, and nowhere else`()
        async throws
    {
        func configure(_ configuration: inout ModelConfiguration) { configuration.tenants?.statementsPerConnection = 7 }
        try await withTenants(configure: configure) { store in
            let pools = store.container.stores.map(\.pool)
            #expect(pools.map(\.options.maximumPreparations) == [7])
            let other = try await store.reopened { $0.tenants = nil }
            #expect(other.stores.map(\.pool.options.maximumPreparations) == [nil])
            await other.close()
        }
    }

    private func blocking<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

    @Test func `identifiers, objects and tokens of one tenant are refused by another`() async throws {
        try await withTenants("acme", "beta") { store in
            let acme = try await ModelContext(store.container, tenant: "acme")
            let beta = try await ModelContext(store.container, tenant: "beta")
            let (invoice, other) = (Invoice(1), Invoice(1))
            acme.insert(invoice)
            beta.insert(other)
            try await acme.save()
            try await beta.save()

            let identifier = invoice.persistentModelID
            #expect(identifier != other.persistentModelID)
            await expectError(.unknownSchema) { _ = try await beta.model(for: identifier) }
            await expectError(.unknownSchema) {
                _ = try await beta.existingModel(for: identifier, as: Invoice.self)
            }
            #expect(beta.registeredModel(for: identifier) as Invoice? == nil)
            // Also with the same key: what another program gave it.
            let twin = try PersistentIdentifier.identifier(
                for: try #require(identifier.storeIdentifier), entityName: "Invoice",
                primaryKey: try #require(Int(other.persistentModelID.description.split(separator: "/").last ?? "")))
            await expectError(.unknownSchema) { _ = try await beta.model(for: twin) }

            beta.insert(InvoiceLine("crossing", of: invoice))
            await expectError(.foreignObject) { try await beta.save() }
            beta.rollback()
            beta.insert(invoice)
            await expectError(.foreignObject) { try await beta.save() }
            beta.rollback()

            let token = try #require(acme.historyToken)
            await expectError(.unknownSchema) { _ = try await beta.fetchHistory(after: token) }
            await expectError(.unknownSchema) {
                _ = try await beta.fetchHistory(
                    HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            }
            await expectError(.unknownSchema) { _ = try await beta.mergeHistory(after: token) }
            #expect(
                try await store.database.texts(#"SELECT count(*)::text FROM "tenant_beta"."invoice_line""#) == ["0"])
        }
    }

    @Test func `history, consumers and notifications are a tenant's own`() async throws {
        try await withTenants("acme", "beta") { store in
            let acme = try await store.container.tenant("acme")
            let beta = try await store.container.tenant("beta")
            let start = (try await acme.currentHistoryToken(), try await beta.currentHistoryToken())
            let context = ModelContext(acme)
            context.author = "ada"
            context.insert(Invoice(1, customer: "Ada"))
            try await context.save()
            let pages = (
                try await ModelContext(acme).fetchHistory(after: start.0),
                try await ModelContext(beta).fetchHistory(after: start.1)
            )
            #expect(pages.0.transactions.map(\.author) == ["ada"])
            #expect(pages.0.transactions[0].storeIdentifier != pages.1.token.positions.keys.first)
            #expect(pages.1.transactions.isEmpty)
            #expect(try await ModelContext(store.container).fetchHistory(HistoryDescriptor()).isEmpty)
            #expect(Set([acme, beta, store.container].flatMap(\.stores).map(\.historyChannel)).count == 3)
            #expect(Set([acme, beta, store.container].map { ObjectIdentifier($0.stores[0].feed) }).count == 1)

            // Deleting one tenant's history moves nothing of another's.
            let later = ModelContext(beta)
            later.insert(Invoice(1))
            try await later.save()
            // What began before a transaction that runs elsewhere on the server is deleted when that is over.
            try await waitUntil {
                try await context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
                return try await ModelContext(acme).fetchHistory(HistoryDescriptor()).isEmpty
            }
            #expect(try await later.fetchHistory(HistoryDescriptor()).count == 1)
        }
    }

    @Test func `a lock by name is a tenant's own`() async throws {
        try await withTenants("acme", "beta") { store in
            let acme = try await store.container.tenant("acme")
            let beta = try await store.container.tenant("beta")
            let taken = try await acme.withAdvisoryLock("nightly") { () async throws -> [Bool] in
                [
                    try await acme.tryWithAdvisoryLock("nightly") { () async in true } ?? false,
                    try await beta.tryWithAdvisoryLock("nightly") { () async in true } ?? false,
                    try await ModelContext(acme).tryWithAdvisoryLock("nightly") { () async in true } ?? false,
                    try await ModelContext(beta).tryWithAdvisoryLock("nightly") { () async in true } ?? false,
                    try await store.container.tryWithAdvisoryLock("nightly") { () async in true } ?? false,
                ]
            }
            #expect(taken == [false, true, false, true, true])
        }
    }

    // MARK: Creating, listing, deleting

    @Test func `tenants are created, listed and deleted, with all that is known of them`() async throws {
        try await withTenants { store in
            #expect(try await store.container.tenantNames() == [])
            for name in ["beta", "acme", "a-1", "7_x"] { try await store.container.createTenant(name) }
            #expect(try await store.container.tenantNames() == ["7_x", "a-1", "acme", "beta"])
            #expect(try blocking { try store.container.tenantNames() }.count == 4)
            let context = try await ModelContext(store.container, tenant: "acme")
            context.insert(Invoice(1))
            try await context.save()
            try await store.container.deleteTenant("acme")
            #expect(try await store.container.tenantNames() == ["7_x", "a-1", "beta"])
            for query in [
                "SELECT count(*)::text FROM pg_namespace WHERE nspname = 'tenant_acme'",
                "SELECT count(*)::text FROM strata.store WHERE schema_name = 'tenant_acme'",
                "SELECT count(*)::text FROM strata.history_transaction",
                "SELECT count(*)::text FROM strata.history_change",
            ] {
                #expect(try await store.database.texts(query) == ["0"], "\(query)")
            }
            await expectError(.unknownTenant) { _ = try await context.fetch(FetchDescriptor<Invoice>()) }
            context.insert(Invoice(2))
            await expectError(.unknownTenant) { try await context.save() }
            await expectError(.unknownTenant) { _ = try await ModelContext(store.container, tenant: "acme") }
            await expectError(.unknownTenant) { try await store.container.deleteTenant("acme") }
            // A name that is given again is another tenant.
            let old = context.container.stores[0].identifier
            try await store.container.createTenant("acme")
            let new = try await store.container.tenant("acme")
            #expect(new.stores[0].identifier != old)
            #expect(try await ModelContext(new).fetchCount(FetchDescriptor<Invoice>()) == 0)
        }
    }

    @Test func `what another process created is found, and what it deleted is an error that names the tenant`()
        async throws
    {
        try await withTenants { store in
            await expectError(.unknownTenant) { _ = try await store.container.tenant("acme") }
            let other = try await store.reopened()
            try await other.createTenant("acme")
            let context = try await ModelContext(store.container, tenant: "acme")
            #expect(try await context.fetchCount(FetchDescriptor<Invoice>()) == 0)
            try await other.deleteTenant("acme")
            await other.close()
            do {
                _ = try await context.fetchCount(FetchDescriptor<Invoice>())
                Issue.record("no error was thrown")
            } catch let error as SwiftDataError {
                #expect(error.code == .unknownTenant)
                #expect(error.message.contains("\"acme\""))
                #expect(error.sqlState == "42P01")
            }
            await expectError(.unknownTenant) { _ = try await store.container.tenant("acme") }
        }
    }

    @Test func `a tenant is created once, also by two at once`() async throws {
        try await withTenants("acme") { store in
            await expectError(.tenantExists) { try await store.container.createTenant("acme") }
            let other = try await store.reopened()
            for name in ["b", "c", "d"] {
                let outcomes = await withTaskGroup(of: SwiftDataError.Code?.self) { group in
                    for container in [store.container, other, store.container, other] {
                        group.addTask {
                            do { try await container.createTenant(name) } catch {
                                return (error as? SwiftDataError)?.code ?? .storeFailure
                            }
                            return nil
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.count { $0 == nil } == 1, "\(outcomes)")
                #expect(outcomes.count { $0 == .tenantExists } == 3, "\(outcomes)")
            }
            await other.close()
        }
    }

    @Test(arguments: [
        "", "Acme", "acme corp", "acme/1", "äcme", "_acme", "-acme", "acme\"; DROP SCHEMA public; --", "acme.x",
        "a\u{0}b", "all",
        String(repeating: "a", count: 57),
    ])
    func `names that no tenant can have are refused before anything is sent`(name: String) async throws {
        try await withTenants { store in
            store.recorder.reset()
            await expectError(.invalidTenantName) { _ = try await store.container.tenant(name) }
            await expectError(.invalidTenantName) { try await store.container.createTenant(name) }
            await expectError(.invalidTenantName) { try await store.container.deleteTenant(name) }
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `the longest name, and no prefix`() async throws {
        let longest = String(repeating: "a", count: 56)
        try await withTenants(longest) { store in
            let context = try await ModelContext(store.container, tenant: longest)
            context.insert(Invoice(1, customer: "long"))
            try await context.save()
            #expect(try await store.customers(longest) == ["long"])

            await expectError(.unsupportedFeature) {
                _ = try await store.reopened { $0.tenants = ModelConfiguration.Tenants(prefix: "") }
            }
        }
    }

    @Test func `a container without tenants says what to set`() async throws {
        try await withModelStore(of: TenantStore.schema) { store in
            await expectError(.unsupportedFeature) { _ = try await store.container.tenant("acme") }
            await expectError(.unsupportedFeature) { try await store.container.createTenant("acme") }
            await expectError(.unsupportedFeature) { _ = try await store.container.tenantNames() }
        }
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.tenants = ModelConfiguration.Tenants()
        await expectError(.unsupportedFeature) {
            _ = try await ModelContainer(for: TenantStore.schema, configurations: configuration)
        }
    }

    @Test func `who may not write uses tenants, and neither creates nor deletes them`() async throws {
        try await withTenants("acme") { store in
            let context = try await ModelContext(store.container, tenant: "acme")
            context.insert(Invoice(1, customer: "Ada"))
            try await context.save()
            var configuration = ModelConfiguration(url: try #require(store.database.foundationURL), allowsSave: false)
            configuration.tenants = ModelConfiguration.Tenants()
            let reader = try await ModelContainer(for: TenantStore.schema, configurations: configuration)
            #expect(
                try await ModelContext(reader, tenant: "acme").fetch(FetchDescriptor<Invoice>()).map(\.customer) == [
                    "Ada"
                ])
            await expectError(.readOnly) { try await reader.createTenant("beta") }
            await expectError(.readOnly) { try await reader.deleteTenant("acme") }
            await reader.close()
        }
    }

    @Test func `the examples of the documentation`() async throws {
        try await withTestDatabase { database in
            let container = try await Tenants.container(try #require(database.foundationURL))
            for name in ["acme", "beta"] { try await Tenants.begin(name, in: container) }
            #expect(try await Tenants.trips(of: "acme", in: container) == 1)
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
            await container.close()
        }
    }

    // MARK: Life

    @Test func `what is kept of tenants is bounded, and contexts outlive it`() async throws {
        func configure(_ configuration: inout ModelConfiguration) { configuration.tenants?.maximumOpen = 2 }
        try await withTenants("a", "b", "c", "d", configure: configure) { store in
            let contexts = try await ["a", "b", "c", "d"].asyncMap {
                try await ModelContext(store.container, tenant: $0)
            }
            #expect(store.container.tenants.count == 2)
            for (number, context) in contexts.enumerated() {
                context.insert(Invoice(number, customer: "\(number)"))
                try await context.save()
            }
            for (number, name) in ["a", "b", "c", "d"].enumerated() {
                #expect(try await store.customers(name) == ["\(number)"])
                // One that is in use is the same, whether it is remembered or not.
                #expect(try await store.container.tenant(name) === contexts[number].container)
            }
        }
    }

    @Test func `closing the container ends its tenants, and closing a tenant's ends nothing else`() async throws {
        try await withTenants("acme", "beta") { store in
            let acme = try await store.container.tenant("acme")
            let beta = try await ModelContext(store.container, tenant: "beta")
            await acme.close()
            #expect(try await beta.fetchCount(FetchDescriptor<Invoice>()) == 0)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Invoice>()) == 0)
            await store.container.close()
            await expectError(.storeFailure) { _ = try await beta.fetchCount(FetchDescriptor<Invoice>()) }
        }
    }

    @Test func `a tenant's context keeps the connections when the container is let go of`() async throws {
        try await withTestDatabase(template: .tables(of: TenantStore.schema)) { database in
            var container: ModelContainer? = try await TenantStore.container(of: database, observer: nil)
            try await container?.createTenant("acme")
            var context: ModelContext? = try await ModelContext(try #require(container), tenant: "acme")
            weak let released = container
            container = nil
            #expect(try await context?.fetchCount(FetchDescriptor<Invoice>()) == 0)
            #expect(released != nil)
            context = nil
            // Neither keeps the other.
            try await waitUntil { released == nil }
        }
    }

    @Test func `classes of a configuration without tenants are shared by all`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            var own = ModelConfiguration("own", schema: TenantStore.schema, url: url, postgresSchema: "template")
            own.tenants = ModelConfiguration.Tenants()
            let shared = ModelConfiguration("shared", schema: Schema([ModelStoreOther.self]), url: url)
            let container = try await ModelContainer(
                for: Schema([Invoice.self, InvoiceLine.self, ModelStoreOther.self]), configurations: own, shared)
            for name in ["acme", "beta"] { try await container.createTenant(name) }
            let acme = try await ModelContext(container, tenant: "acme")
            acme.insert(ModelStoreOther(number: 7))
            acme.insert(Invoice(1))
            try await acme.save()
            let beta = try await ModelContext(container, tenant: "beta")
            #expect(try await beta.fetch(FetchDescriptor<ModelStoreOther>()).map(\.number) == [7])
            #expect(try await beta.fetchCount(FetchDescriptor<Invoice>()) == 0)
            // A token of another tenant has the place of the shared store, too.
            let token = try #require(acme.historyToken)
            await expectError(.unknownSchema) { _ = try await beta.fetchHistory(after: token) }
            await container.close()
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
