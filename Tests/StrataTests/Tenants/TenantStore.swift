import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

@Model final class Invoice {
    @Attribute(.unique) var number: Int
    var customer: String
    @Relationship(deleteRule: .cascade, inverse: \InvoiceLine.invoice) var lines: [InvoiceLine] = []
    init(_ number: Int, customer: String = "") {
        self.number = number
        self.customer = customer
    }
}

@Model final class InvoiceLine {
    var text: String
    var invoice: Invoice?
    init(_ text: String, of invoice: Invoice) {
        self.text = text
        self.invoice = invoice
    }
}

/// A database for tenants, and containers of it.
struct TenantStore: Sendable {
    static let schema = Schema([Invoice.self, InvoiceLine.self])

    let database: TestDatabase
    let container: ModelContainer
    let recorder: StatementRecorder

    /// Another container of the same database, as another process has.
    func reopened(_ configure: (inout ModelConfiguration) -> Void = { _ in }) async throws -> ModelContainer {
        try await Self.container(of: database, observer: nil, configure)
    }

    static func container(
        of database: TestDatabase, observer: (any PostgresObserver)?,
        _ configure: (inout ModelConfiguration) -> Void = { _ in }
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.tenants = ModelConfiguration.Tenants()
        configure(&configuration)
        return try await ModelContainer(
            opening: schema, configurations: [configuration], logger: Logger(label: "test"), observer: observer)
    }

    /// The customers of a tenant's invoices, as the database has them.
    func customers(_ tenant: String) async throws -> [String] {
        try await database.texts(#"SELECT "customer" FROM "tenant_\#(tenant)"."invoice" ORDER BY 1"#)
    }
}

func withTenants(
    _ tenants: String..., file: String = #fileID, line: Int = #line,
    configure: (inout ModelConfiguration) -> Void = { _ in }, _ body: (TenantStore) async throws -> Void
) async throws {
    try await withTestDatabase(template: .tables(of: TenantStore.schema), file: file, line: line) { database in
        let recorder = StatementRecorder()
        let container = try await TenantStore.container(of: database, observer: recorder, configure)
        do {
            for tenant in tenants { try await container.createTenant(tenant) }
            try await body(TenantStore(database: database, container: container, recorder: recorder))
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }
}
