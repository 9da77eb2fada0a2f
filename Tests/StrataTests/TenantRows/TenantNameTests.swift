import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext
@testable import StrataModels
@testable import StrataRepository

@Model final class Shop {
    @Attribute(.primaryKey) var id: UUID = .v7()
    @Attribute(.tenant) var owner: UUID?
    var name: String
    init(_ name: String) { self.name = name }
}

@Model final class Chair {
    @Attribute(.tenant) var hall: Int = 0
    @Attribute(.unique) var row: Int
    init(_ row: Int) { self.row = row }
}

/// What names a tenant, by the type of the property, and which classes cannot have one.
@Suite(.timeLimit(.minutes(2))) struct TenantNameTests {
    @Test func `equal values have one text, and some name nobody`() {
        let id = UUID()
        #expect(TenantName(id.uuidString, as: UUID?.self)?.text == id.uuidString.lowercased())
        #expect(TenantName("007", as: Int.self)?.text == "7")
        #expect(TenantName("Acme & Sons", as: String.self)?.text == "Acme & Sons")
        #expect(TenantName("", as: String.self) == nil)
        #expect(TenantName("0", as: Int64.self) == nil)
        #expect(TenantName("acme", as: UUID.self) == nil)
        #expect(TenantName("00000000-0000-0000-0000-000000000000", as: UUID.self) == nil)
    }

    @Test(arguments: [true, false]) func `UUIDs and numbers name tenants too`(isUUID: Bool) async throws {
        let type: any PersistentModel.Type = isUUID ? Shop.self : Chair.self
        let schema = Schema([type])
        try await withTestDatabase(template: .tables(of: schema)) { database in
            let role = "named_tenant_\(UInt32.random(in: 0 ... .max))"
            try await database.execute(
                "CREATE ROLE \(role) LOGIN",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)",
                "GRANT USAGE ON SCHEMA strata TO \(role)", "GRANT SELECT ON strata.store TO \(role)",
                "GRANT USAGE ON SEQUENCE strata.key_block TO \(role)")
            let url = try #require(database.foundationURL)
            let container = try await ModelContainer(
                opening: schema,
                configurations: [
                    ModelConfiguration(url: url.appending(queryItems: [URLQueryItem(name: "user", value: role)]))
                ], logger: Logger(label: "test"))
            let names = isUUID ? [UUID().uuidString, UUID().uuidString] : ["7", "8"]
            for name in names {
                let context = try await ModelContext(container, tenant: name)
                if isUUID { context.insert(Shop("s")) } else { context.insert(Chair(1)) }
                try await context.save()
                if isUUID {
                    #expect(try await context.fetch(FetchDescriptor<Shop>()).map(\.owner) == [UUID(uuidString: name)])
                } else {
                    #expect(try await context.fetch(FetchDescriptor<Chair>()).map(\.hall) == [Int(name)])
                }
            }
            let same = try await container.tenant(names[0].lowercased())
            #expect(same === (try await container.tenant(names[0])))
            let refused = await #expect(throws: SwiftDataError.self) { try await container.tenant("acme") }
            #expect(
                refused?.message
                    == (isUUID
                        ? "\"acme\" cannot be the name of a tenant: Shop.owner is Optional<UUID>, which names one by a UUID that is not all zeros."
                        : "\"acme\" cannot be the name of a tenant: Chair.hall is Int, which names one by a number that is not 0.")
            )
            await container.close()
            try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    enum Wrong {
        @Model class Root {
            var name: String
            init(_ name: String) { self.name = name }
        }
        @Model final class Late: Root {
            @Attribute(.tenant) var tenant: String = ""
            init() { super.init("") }
        }
        @Model final class Dated {
            @Attribute(.tenant) var tenant: Date
            init() { tenant = .now }
        }
        @Model final class Twice {
            @Attribute(.tenant) var first = ""
            @Attribute(.tenant) var second = ""
            init() {}
        }
        @Model class Owned {
            @Attribute(.tenant) var tenant = ""
            @Attribute(.primaryKey) var code: String
            var countries: [Country] = []
            init(_ code: String) { self.code = code }
        }
        @Model final class Special: Owned {
            @Attribute(.unique) var number: Int
            init() {
                number = 0
                super.init("")
            }
        }
        @Model final class Country {
            var owned: Owned?
            init() {}
        }
        @Model final class Numbered {
            @Attribute(.tenant) var tenant = 0
            init() {}
        }
        @Model final class Keyed {
            @Attribute(.tenant) var tenant = ""
            var a: Int
            var b: Int
            #PrimaryKey<Keyed>([\.a, \.b])
            init() { (a, b) = (0, 0) }
        }
    }

    @Test func `a class that could not keep tenants apart is refused`() {
        func findings(_ types: any PersistentModel.Type...) -> [String] {
            let schema = Schema(types)
            return SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map { "\($0)" }.sorted()
        }
        #expect(
            findings(Wrong.Root.self, Wrong.Late.self) == [
                "Late.tenant: it is marked .tenant, and the rows of a hierarchy are those of its root's table. Remedy: declare it in Root."
            ])
        #expect(
            findings(Wrong.Dated.self) == [
                "Dated.tenant: it is marked .tenant, and Date is no name of a tenant. Remedy: declare it as String, UUID, Int or Int64."
            ])
        #expect(
            findings(Wrong.Twice.self, Wrong.Numbered.self) == [
                "Twice.first: it is marked .tenant and String, and Numbered.tenant is Int: one name of a tenant is told to the server. Remedy: give both the same type.",
                "Twice.second: it is marked .tenant, and so is first: a row is one tenant's. Remedy: mark one of them.",
            ])
        #expect(
            findings(Wrong.Owned.self, Wrong.Special.self, Wrong.Country.self) == [
                "Country.owned: all tenants share a Country, and a Owned is one tenant's (Owned.tenant). Remedy: give Country a tenant too, or remove the relationship: a Owned may lead to a Country without an inverse.",
                "Owned.code: it is the key, which is one for all tenants, and tenant is marked .tenant: a String that one tenant has would be refused to the others. Remedy: declare the key as UUID, or this property .unique, which is within a tenant.",
                "Owned.countries: a Owned is one tenant's (Owned.tenant), and its key would stand beside objects that all tenants share. Remedy: lead to one Country, or give Country a tenant too.",
                "Special.number: it is unique in the table of a subclass, which does not have Owned.tenant: it would be unique among all tenants. Remedy: declare the property in Owned.",
            ])
        #expect(
            findings(Wrong.Keyed.self) == [
                "Keyed.a: its key has several columns, and none of them is tenant or leads to a tenant's object: a key that one tenant has would be refused to the others. Remedy: begin #PrimaryKey with \\.tenant."
            ])
    }
}
