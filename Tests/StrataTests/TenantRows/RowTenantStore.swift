import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

@Model class Receipt {
    @Attribute(.tenant) var tenant = ""
    @Attribute(.unique) var number: Int
    var customer: String
    @Relationship(deleteRule: .cascade, inverse: \ReceiptLine.receipt) var lines: [ReceiptLine] = []
    @Relationship(inverse: \Sticker.receipts) var labels: [Sticker] = []
    var currency: Currency?
    #Index<Receipt>([\.customer])

    init(_ number: Int, customer: String = "") {
        self.number = number
        self.customer = customer
    }
}

@Model final class Refund: Receipt {
    var reason: String

    init(_ number: Int, customer: String, reason: String) {
        self.reason = reason
        super.init(number, customer: customer)
    }
}

@Model final class ReceiptLine {
    @Attribute(.tenant) var tenant = ""
    var text: String
    var receipt: Receipt

    init(_ text: String, of receipt: Receipt) {
        self.text = text
        self.receipt = receipt
    }
}

@Model final class Sticker {
    @Attribute(.tenant) var tenant = ""
    @Attribute(.unique) var name: String
    var receipts: [Receipt] = []

    init(_ name: String) { self.name = name }
}

/// What all tenants share.
@Model final class Currency {
    @Attribute(.unique) var code: String

    init(_ code: String) { self.code = code }
}

/// How many receipts each customer has.
@Model final class CustomerCount: DatabaseView {
    static let definition: SQLStatement = """
        SELECT min(\(\Receipt.persistentModelID)) AS \(column: \CustomerCount.persistentModelID), \
        \(\Receipt.customer) AS \(column: \CustomerCount.customer), count(*) AS \(column: \CustomerCount.receipts)
        FROM \(Receipt.self) GROUP BY \(\Receipt.customer)
        """
    var customer: String
    var receipts: Int
    init(_ customer: String, _ receipts: Int) { (self.customer, self.receipts) = (customer, receipts) }
}

/// A database whose tables have the rows of many tenants, a container of a role that policies bind, and one of a superuser.
struct RowTenantStore: Sendable {
    static let schema = Schema([
        Receipt.self, Refund.self, ReceiptLine.self, Sticker.self, Currency.self, CustomerCount.self,
    ])

    let database: TestDatabase
    let role: String
    let container: ModelContainer
    let administration: ModelContainer
    let recorder: StatementRecorder

    static func container(
        of url: URL, observer: (any PostgresObserver)? = nil, _ configure: (inout ModelConfiguration) -> Void = { _ in }
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: url)
        configure(&configuration)
        return try await ModelContainer(
            opening: schema, configurations: [configuration], logger: Logger(label: "test"), observer: observer)
    }

    /// The customers of a tenant's receipts, as the database has them.
    func customers(_ tenant: String) async throws -> [String] {
        try await database.texts("SELECT customer FROM receipt WHERE tenant = '\(tenant)' ORDER BY 1")
    }
}

/// - Parameter owns: whether the role owns the database and makes the tables itself.
func withRowTenants(
    owns: Bool = false, file: String = #fileID, line: Int = #line,
    configure: (inout ModelConfiguration) -> Void = { _ in }, _ body: (RowTenantStore) async throws -> Void
) async throws {
    let template: TestTemplate? = owns ? nil : .tables(of: RowTenantStore.schema)
    try await withTestDatabase(template: template, file: file, line: line) { database in
        let url = try #require(database.foundationURL)
        let role = "row_tenant_\(UInt32.random(in: 0 ... .max))"
        try await database.execute("CREATE ROLE \(role) LOGIN")
        if owns {
            try await database.execute(
                #"ALTER DATABASE "\#(database.name)" OWNER TO \#(role)"#, "ALTER SCHEMA public OWNER TO \(role)")
        } else {
            try await database.execute(
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)",
                "GRANT USAGE ON SCHEMA strata TO \(role)", "GRANT SELECT ON strata.store TO \(role)",
                "GRANT USAGE ON SEQUENCE strata.key_block TO \(role)",
                "SELECT strata.history_grant('\(role)', 'read')")
        }
        let recorder = StatementRecorder()
        var containers: [ModelContainer] = []
        func end() async throws {
            for container in containers { await container.close() }
            try await database.execute(
                #"ALTER DATABASE "\#(database.name)" OWNER TO CURRENT_USER"#,
                "REASSIGN OWNED BY \(role) TO CURRENT_USER",
                "DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
        do {
            let own = try await RowTenantStore.container(
                of: url.appending(queryItems: [URLQueryItem(name: "user", value: role)]), observer: recorder, configure)
            containers.append(own)
            let administration = try await RowTenantStore.container(of: url)
            containers.append(administration)
            try await body(
                RowTenantStore(
                    database: database, role: role, container: own, administration: administration, recorder: recorder))
        } catch {
            try? await end()
            throw error
        }
        try await end()
    }
}
