import Foundation
import Strata
import StrataClient
import StrataMigrations
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataContext

/// Tenants on the workers of a Citus, which `STRATA_CITUS_URL` names by its coordinator: `scripts/citus.sh` builds and starts one.
@Suite(.serialized, .enabled(if: Citus.isThere, "STRATA_CITUS_URL"), .timeLimit(.minutes(5))) struct CitusTests {
    @Test func `tenants are on workers, and what a tenant has works there`() async throws {
        try await Citus.withTenants { store in
            for tenant in ["a", "b", "c-d"] { try await store.container.createTenant(tenant) }
            #expect(try await store.container.tenantNames() == ["a", "b", "c-d"])
            #expect(try await store.placements().map(\.schema) == ["a", "b", "c-d"].map { store.prefix + $0 })
            #expect(Set(try await store.placements().prefix(2).map(\.port)).count == 2)
            for tenant in ["a", "b"] { try await useEverything(ModelContext(store.container, tenant: tenant), tenant) }
            try await store.container.deleteTenant("a")
            #expect(try await store.container.tenantNames() == ["b", "c-d"])
            #expect(
                try await ModelContext(store.container, tenant: "b").fetch(FetchDescriptor<Invoice>()).count == 2)
        }
    }

    /// A save of a graph, an upsert, a conflict, rules of deletion, queries, changes by predicate, locks, pages and SQL.
    private func useEverything(_ context: ModelContext, _ name: String) async throws {
        let invoice = Invoice(1, customer: name)
        invoice.lines = [InvoiceLine("first", of: invoice), InvoiceLine("second", of: invoice)]
        context.insert(invoice)
        context.insert(Invoice(2, customer: name))
        try await context.save()
        let other = ModelContext(context.container)
        other.insert(Invoice(2, customer: "upserted"))
        try await other.save()
        #expect(try await other.fetchCount(FetchDescriptor<Invoice>()) == 2)
        let theirs = try #require(
            try await other.fetch(FetchDescriptor<Invoice>(predicate: #Predicate { $0.number == 1 })).first)
        theirs.customer = "theirs"
        try await other.save()
        invoice.customer = "mine"
        await expectError(.conflict) { try await context.save() }
        context.rollback()
        let byLines = FetchDescriptor<Invoice>(
            predicate: #Predicate { $0.lines.contains { $0.text == "first" } || $0.lines.count > 5 })
        #expect(try await ModelContext(context.container).fetch(byLines).map(\.customer) == ["theirs"])
        let fresh = ModelContext(context.container)
        try fresh.update(
            model: Invoice.self, where: #Predicate { $0.number == 2 }, .set(\.customer, to: "by predicate"))
        try await fresh.save()
        var ordered = FetchDescriptor<Invoice>(sortBy: [SortDescriptor(\.number)])
        let page = try await fresh.fetchPage(ordered, size: 1)
        let next = try await fresh.fetchPage(ordered, after: page.next, size: 1)
        #expect(next.objects.map(\.customer) == ["by predicate"])
        ordered.lock = .skipLocked
        let locked = ordered
        try await fresh.transaction {
            let all = try await fresh.fetch(locked)
            for invoice in all { invoice.customer += "!" }
        }
        let serializable = ModelContext(context.container)
        try await serializable.transaction(isolation: .serializable) {
            for line in try await serializable.fetch(FetchDescriptor<InvoiceLine>()) { line.text += "?" }
        }
        #expect(
            try await fresh.fetch(
                String.self, sql: "SELECT \(\InvoiceLine.text) FROM \(InvoiceLine.self) ORDER BY 1") == [
                    "first?", "second?",
                ])
        let last = ModelContext(context.container)
        let first = try #require(
            try await last.fetch(FetchDescriptor<Invoice>(predicate: #Predicate { $0.number == 1 })).first)
        last.delete(first)
        last.insert(Invoice(3, customer: name))
        try await last.save()
        #expect(try await last.fetchCount(FetchDescriptor<InvoiceLine>()) == 0)
        #expect(
            try await ModelContext(context.container).fetch(
                FetchDescriptor<Invoice>(sortBy: [SortDescriptor(\.number)])
            )
            .map(\.customer) == ["by predicate!", name])
    }

    @Test func `classes that record history are refused before anything is made`() async throws {
        try await Citus.withTenants {
            $0.recordsHistory = true
        } _: { store in
            let error = try await #require(throws: SwiftDataError.self) { try await store.container.createTenant("a") }
            #expect(error.code == .unsupportedFeature)
            #expect(
                error.message
                    == "The tenant \"a\" was not created: Citus takes no tables with triggers, and these classes record history: Invoice, InvoiceLine. "
                    + "Set recordsHistory of the configuration, and of its migration plan, to false, or the placement of tenants to .server."
            )
            #expect(try await store.container.tenantNames() == [])
        }
    }

    @Test func `a stage that needs triggers is refused before its first step`() async throws {
        let prefix = Citus.newPrefix()
        try await Citus.with(
            prefix, Schema(versionedSchema: CitusReleased.self), plan: CitusReleasedPlan.self
        ) { container in
            try await container.createTenant("a")
            let runner = MigrationRunner(
                configuration: try PostgresConfiguration(url: try #require(Citus.url).absoluteString),
                schemaName: prefix + "a")
            let stage = try #require(try MigrationChain(plan: CitusConvertedPlan.self).scripts(in: prefix + "a").last)
            let error = #expect(throws: MigrationError.self) { try runner.apply([stage]) }
            #expect(error?.code == .preflightRefused)
            #expect(error?.places.contains { $0.contains("keep") } == true, "\(String(describing: error))")
            #expect(
                error?.message
                    == "0002_v1_v2 was not begun: the schema \"\(prefix)a\" is on a worker of Citus, which takes no triggers, no other storage of a "
                    + "column and no new identity there.")
            try await container.deleteTenant("a")
        }
    }

    @Test func `the tool brings new tenants to workers`() async throws {
        let prefix = Citus.newPrefix()
        try await Citus.with(
            prefix, Schema(versionedSchema: CitusReleased.self), plan: CitusReleasedPlan.self
        ) { container in
            let chain = try MigrationChain(plan: CitusReleasedPlan.self)
            let configuration = try PostgresConfiguration(url: try #require(Citus.url).absoluteString)
            let newest = try #require(chain.versions.last)
            let runner = MigrationRunner(configuration: configuration, schemaName: prefix + "tool")
            #expect(throws: MigrationError.self) { try runner.create(newest, recordsHistory: true, on: .citus) }
            #expect(try await container.tenantNames() == [])
            try runner.create(newest, recordsHistory: false, on: .citus)
            #expect(try await container.tenantNames() == ["tool"])
            #expect(
                try await Citus(container: container, prefix: prefix).placements().map(\.schema) == [prefix + "tool"])
            let context = try await ModelContext(container, tenant: "tool")
            context.insert(CitusReleased.Guest(name: "G"))
            try await context.save()
            try await container.deleteTenant("tool")
        }
    }

    @Test func `migrations reach the tables on the workers`() async throws {
        let prefix = Citus.newPrefix()
        try await Citus.with(
            prefix, Schema(versionedSchema: CitusReleased.self), plan: CitusReleasedPlan.self
        ) { container in
            for tenant in ["a", "b"] {
                try await container.createTenant(tenant)
                let context = try await ModelContext(container, tenant: tenant)
                context.insert(CitusReleased.Guest(name: tenant))
                try await context.save()
            }
        }
        try await Citus.with(prefix, Schema(versionedSchema: CitusGrown.self), plan: CitusGrownPlan.self) { container in
            for tenant in ["a", "b"] {
                let context = try await ModelContext(container, tenant: tenant)
                let guest = try #require(try await context.fetch(FetchDescriptor<CitusGrown.Guest>()).first)
                #expect(guest.name == tenant)
                guest.nickname = "\(tenant)."
                context.insert(CitusGrown.Party(title: "P", guests: [guest]))
                try await context.save()
                let found = try await ModelContext(container, tenant: tenant).fetch(
                    FetchDescriptor<CitusGrown.Guest>(predicate: #Predicate { $0.parties.contains { $0.title == "P" } })
                )
                #expect(found.map(\.nickname) == ["\(tenant)."])
                try await container.deleteTenant(tenant)
            }
        }
    }

    @Test func `tenants that move between workers under load lose nothing`() async throws {
        try await Citus.withTenants {
            $0.pool = ModelConfiguration.Pool(maximumConnections: 8)
        } _: { store in
            let load = TenantLoad(store.container)
            var moves = 0
            try await load.run(for: isSoak ? .seconds(60) : .seconds(12)) {
                try await store.move(TenantLoad.tenants[moves % TenantLoad.tenants.count])
                moves += 1
            }
            #expect(moves >= 4)
            try await load.check { tenant in
                try await ModelContext(store.container, tenant: tenant).fetch(
                    FetchDescriptor<Invoice>(), selecting: \.customer)
            }
        }
    }
}

/// The Citus that the tests were given.
private struct Citus {
    static let url = ProcessInfo.processInfo.environment["STRATA_CITUS_URL"].flatMap { URL(string: $0) }
    static var isThere: Bool { url != nil }

    let container: ModelContainer
    let prefix: String

    static func newPrefix() -> String { "citus\(UInt32.random(in: 1...UInt32.max))_" }

    /// A container of invoices whose tenants nobody else has; they are deleted at the end.
    static func withTenants(
        _ configure: (inout ModelConfiguration) -> Void = { _ in }, _ body: (Citus) async throws -> Void
    ) async throws {
        let prefix = newPrefix()
        try await with(prefix, TenantStore.schema, configure) { container in
            try await body(Citus(container: container, prefix: prefix))
            for tenant in try await container.tenantNames() { try await container.deleteTenant(tenant) }
        }
    }

    static func with(
        _ prefix: String, _ schema: Schema, plan: (any SchemaMigrationPlan.Type)? = nil,
        _ configure: (inout ModelConfiguration) -> Void = { _ in }, _ body: (ModelContainer) async throws -> Void
    ) async throws {
        var configuration = ModelConfiguration(url: try #require(url))
        configuration.recordsHistory = false
        // The container's own tables, which no test uses.
        configuration.postgresSchema = prefix + "own"
        configuration.tenants = ModelConfiguration.Tenants(prefix: prefix, placement: .citus)
        configure(&configuration)
        let container =
            if let plan {
                try await ModelContainer(
                    for: schema, migrationPlan: plan, migrations: .apply, configurations: configuration)
            } else { try await ModelContainer(for: schema, configurations: [configuration]) }
        do { try await body(container) } catch {
            await container.close()
            throw error
        }
        let removal = TenantRemoval(prefix + "own")
        let removed = try await container.stores[0].pool.perform(
            InTransaction(removal, .readCommitted), for: "remove the container's own tables")
        #expect(removed.operation.outcome == .removed)
        await container.close()
    }

    /// The schemas of the tenants by name, with the port of the worker that has each.
    func placements() async throws -> [(schema: String, port: Int)] {
        try await ModelContext(container).fetch(
            (String, Int).self,
            sql: """
                SELECT n.nspname::text, min(s.nodeport)::bigint FROM citus_shards AS s JOIN pg_class AS c ON c.oid = s.table_name
                JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE starts_with(n.nspname::text, \(prefix)) GROUP BY 1 ORDER BY 1
                """
        ).map { (schema: $0.0, port: $0.1) }
    }

    /// Moves a tenant to the other worker while it is written.
    func move(_ tenant: String) async throws {
        _ = try await ModelContext(container).execute(
            """
            SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'force_logical')
            FROM citus_shards AS s, pg_dist_node AS n
            WHERE s.table_name = (\(prefix + tenant + ".invoice")::text)::regclass AND n.groupid <> 0 AND n.nodeport <> s.nodeport
            """)
    }
}

private enum CitusReleased: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }

    @Model final class Guest {
        var name: String
        init(name: String) { self.name = name }
    }
}

private enum CitusReleasedPlan: SchemaMigrationPlan {
    static let recordsHistory = false
    static var schemas: [any VersionedSchema.Type] { [CitusReleased.self] }
    static var stages: [MigrationStage] { [] }
}

private enum CitusGrown: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self, Party.self] }

    @Model final class Guest {
        #Index<Guest>([\.name])
        var name: String
        var nickname: String?
        var parties: [Party] = []
        init(name: String) { self.name = name }
    }

    @Model final class Party {
        var title: String
        @Relationship(inverse: \Guest.parties) var guests: [Guest]
        init(title: String, guests: [Guest]) {
            self.title = title
            self.guests = guests
        }
    }
}

private enum CitusGrownPlan: SchemaMigrationPlan {
    static let recordsHistory = false
    static var schemas: [any VersionedSchema.Type] { [CitusReleased.self, CitusGrown.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: CitusReleased.self, toVersion: CitusGrown.self)] }
}

private enum CitusConverted: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Guest.self] }

    @Model final class Guest {
        @Attribute(originalName: "name") var title: String
        init(title: String) { self.title = title }
    }
}

private enum CitusConvertedPlan: SchemaMigrationPlan {
    static let recordsHistory = false
    static var schemas: [any VersionedSchema.Type] { [CitusReleased.self, CitusConverted.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: CitusReleased.self, toVersion: CitusConverted.self,
                changes: [.sideBySide(\CitusConverted.Guest.title)])
        ]
    }
}
