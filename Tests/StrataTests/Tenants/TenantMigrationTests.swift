import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

/// Tenants of containers with a migration plan.
@Suite(.timeLimit(.minutes(3))) struct TenantMigrationTests {
    private func open(
        _ version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type, _ policy: MigrationPolicy = .apply,
        on database: TestDatabase
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.tenants = ModelConfiguration.Tenants()
        return try await ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan, migrations: policy,
            configurations: configuration)
    }

    private func with(
        _ version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type, _ policy: MigrationPolicy = .apply,
        on database: TestDatabase, _ body: (ModelContainer) async throws -> Void
    ) async throws {
        let container = try await open(version, plan, policy, on: database)
        do { try await body(container) } catch {
            await container.close()
            throw error
        }
        await container.close()
    }

    private func versions(_ database: TestDatabase, _ tenant: String) async throws -> [String] {
        try await database.texts(
            "SELECT version || ' ' || stage FROM strata.schema_version WHERE schema_name = 'tenant_\(tenant)' ORDER BY number"
        )
    }

    @Test func `a tenant is created at the container's version, and brought to the next when it is first used`()
        async throws
    {
        try await withTestDatabase { database in
            try await with(MigratingReleased.self, MigratingReleasedPlan.self, on: database) { container in
                for name in ["acme", "beta"] {
                    try await container.createTenant(name)
                    let context = try await ModelContext(container, tenant: name)
                    context.insert(MigratingReleased.Guest(name: name))
                    try await context.save()
                }
                await expectError(.tenantExists) { try await container.createTenant("acme") }
                await expectError(.unknownTenant) { _ = try await container.tenant("gamma") }
            }
            #expect(try await versions(database, "acme") == ["1.0.0 baseline"])
            try await with(MigratingNicknames.self, MigratingClosurePlan.self, on: database) { container in
                let context = try await ModelContext(container, tenant: "acme")
                let guests = try await context.fetch(FetchDescriptor<MigratingNicknames.Guest>())
                #expect(guests.map(\.name) == ["ACME"])
                #expect(guests.map(\.nickname) == ["A."])
                #expect(try await versions(database, "acme") == ["1.0.0 baseline", "2.0.0 0002_v1_v2"])
                // The other waits until somebody uses it.
                #expect(try await versions(database, "beta") == ["1.0.0 baseline"])
            }
            try await with(MigratingNicknames.self, MigratingClosurePlan.self, .verify, on: database) { container in
                #expect(
                    try await ModelContext(container, tenant: "acme").fetchCount(
                        FetchDescriptor<MigratingNicknames.Guest>()) == 1)
                let error = try await #require(throws: MigrationError.self) { _ = try await container.tenant("beta") }
                #expect(error.code == .difference)
                #expect(error.message.hasPrefix("The tenant \"beta\": "), "\(error.message)")
                #expect(error.places.contains { $0.contains("nickname") }, "\(error.places)")
                let creation = try await #require(throws: MigrationError.self) {
                    try await container.createTenant("new")
                }
                #expect(creation.message.contains("\"new\""))
                await expectError(.unknownTenant) { _ = try await container.tenant("gamma") }
            }
        }
    }

    @Test func `statements of the plan's own change the tenant's tables, whatever they call them`() async throws {
        try await withTestDatabase { database in
            try await with(MigratingReleased.self, MigratingReleasedPlan.self, on: database) { container in
                for context in [
                    ModelContext(container), try await tenant("acme", container), try await tenant("beta", container),
                ] {
                    context.insert(MigratingReleased.Guest(name: "Ada"))
                    try await context.save()
                }
            }
            try await with(MigratingNicknames.self, TenantStatementPlan.self, on: database) { container in
                _ = try await container.tenant("acme")
                let names = "SELECT name || ' ' || coalesce(nickname, '-') FROM "
                #expect(try await database.texts(names + "public.guest") == ["Ada* x"])
                #expect(try await database.texts(names + "tenant_acme.guest") == ["Ada* x"])
                #expect(try await database.texts("SELECT name FROM tenant_beta.guest") == ["Ada"])
            }
        }
    }

    private func tenant(_ name: String, _ container: ModelContainer) async throws -> ModelContext {
        ModelContext(try await container.createTenant(name))
    }

    @Test func `what was interrupted between tables and record is nobody else's, and completed when it is opened`()
        async throws
    {
        try await withTestDatabase { database in
            try await with(MigratingReleased.self, MigratingReleasedPlan.self, on: database) { container in
                try await container.createTenant("acme")
                try await database.execute("DELETE FROM strata.schema_version WHERE schema_name = 'tenant_acme'")
                let other = try await open(MigratingReleased.self, MigratingReleasedPlan.self, .verify, on: database)
                let error = try await #require(throws: MigrationError.self) { _ = try await other.tenant("acme") }
                #expect(error.message.contains("\"acme\""))
                await other.close()
                let context = try await ModelContext(container, tenant: "acme")
                context.insert(MigratingReleased.Guest(name: "Ada"))
                try await context.save()
                await expectError(.tenantExists) { try await container.createTenant("acme") }
                #expect(try await versions(database, "acme") == [])
                let again = try await open(MigratingReleased.self, MigratingReleasedPlan.self, on: database)
                #expect(
                    try await ModelContext(again, tenant: "acme").fetchCount(
                        FetchDescriptor<MigratingReleased.Guest>()) == 1)
                await again.close()
                #expect(try await versions(database, "acme") == ["1.0.0 baseline"])
                await expectError(.tenantExists) { try await container.createTenant("acme") }
                try await container.deleteTenant("acme")
                #expect(try await versions(database, "acme") == [])
                try await container.createTenant("acme")
                #expect(try await versions(database, "acme") == ["1.0.0 baseline"])
            }
        }
    }

    @Test func `of several calls at once one creates the tenant, with a plan too`() async throws {
        try await withTestDatabase { database in
            try await with(MigratingReleased.self, MigratingReleasedPlan.self, on: database) { container in
                let other = try await open(MigratingReleased.self, MigratingReleasedPlan.self, on: database)
                for name in ["a", "b", "c", "d"] {
                    let outcomes = await withTaskGroup(of: SwiftDataError.Code?.self) { group in
                        for container in [container, other, container, other] {
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
                    #expect(try await versions(database, name) == ["1.0.0 baseline"])
                }
                await other.close()
            }
        }
    }

    @Test func `a schema with other tables is no tenant, and says so`() async throws {
        try await withTestDatabase { database in
            try await with(MigratingReleased.self, MigratingReleasedPlan.self, on: database) { container in
                try await database.execute(
                    "CREATE SCHEMA tenant_acme", "CREATE TABLE tenant_acme.guest (pk bigint PRIMARY KEY, age integer)")
                await expectError(.unknownTenant) { _ = try await container.tenant("acme") }
                do {
                    try await container.createTenant("acme")
                    Issue.record("no error was thrown")
                } catch let error as SwiftDataError {
                    #expect(error.code == .tenantExists || error.code == .unknownSchema)
                    #expect(error.message.hasPrefix("The tenant \"acme\": "), "\(error.message)")
                }
                #expect(try await container.tenantNames() == [])
            }
        }
    }
}

/// Statements by hand, with the schema of the files and without.
enum TenantStatementPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MigratingReleased.self, MigratingNicknames.self] }

    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: MigratingReleased.self, toVersion: MigratingNicknames.self,
                changes: [
                    .sql("UPDATE public.guest SET name = name || '*'"), .sql("UPDATE guest SET nickname = 'x'"),
                ])
        ]
    }
}
