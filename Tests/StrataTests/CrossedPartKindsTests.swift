import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

@testable import StrataContext
@testable import StrataModels
@testable import StrataRepository

/// Pairs of keys with parts of other kinds: whose tenant's they are, dates and UUIDs.
@Suite(.timeLimit(.minutes(2))) struct CrossedPartKindsTests {
    enum Rows {
        @Model final class Desk {
            #PrimaryKey<Desk>([\.tenant, \.number])
            @Attribute(.tenant) var tenant: String = ""
            var number: Int
            @Relationship(inverse: \Lamp.desks) var lamps: [Lamp] = []
            init(_ number: Int) { self.number = number }
        }
        @Model final class Lamp {
            #PrimaryKey<Lamp>([\.tenant, \.code])
            @Attribute(.tenant) var tenant: String = ""
            var code: String
            var desks: [Desk] = []
            init(_ code: String) { self.code = code }
        }
        static let schema = Schema(Desk.self, Lamp.self)
    }

    /// A table opens with the policy that it was made with, which the server prints with several columns, and nobody sees another's pairs.
    @Test func `pairs of tenants are theirs`() async throws {
        try await withTestDatabase(template: .tables(of: Rows.schema)) { database in
            let role = "paired_tenant_\(UInt32.random(in: 0 ... .max))"
            try await database.execute(
                "CREATE ROLE \(role) LOGIN",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)",
                "GRANT USAGE ON SCHEMA strata TO \(role)", "GRANT SELECT ON strata.store TO \(role)",
                "GRANT USAGE ON SEQUENCE strata.key_block TO \(role)")
            let url = try #require(database.foundationURL)
            let container = try await ModelContainer(
                opening: Rows.schema,
                configurations: [
                    ModelConfiguration(url: url.appending(queryItems: [URLQueryItem(name: "user", value: role)]))
                ], logger: Logger(label: "test"))
            for name in ["acme", "zoo"] {
                let context = try await ModelContext(container, tenant: name)
                let desk = Rows.Desk(1)
                desk.lamps = [Rows.Lamp("a"), Rows.Lamp(name)]
                context.insert(desk)
                try await context.save()
                #expect(try await context.fetch(FetchDescriptor<Rows.Desk>()).map(\.lamps.count) == [2])
            }
            let context = try await ModelContext(container, tenant: "acme")
            let lit = try await context.fetch(
                FetchDescriptor<Rows.Lamp>(predicate: #Predicate { $0.desks.contains { $0.number == 1 } }))
            #expect(lit.map(\.code).sorted() == ["a", "acme"])
            #expect(
                try await database.texts("SELECT desk_tenant || lamp_tenant || lamp_code FROM desk_lamps ORDER BY 1")
                    == ["acmeacmea", "acmeacmeacme", "zoozooa", "zoozoozoo"])
            await container.close()
            try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    enum Kinds {
        @Model final class Reading {
            #PrimaryKey<Reading>([\.sensor, \.at])
            var sensor: UUID
            var at: Date
            @Relationship(inverse: \Report.readings) var reports: [Report] = []
            init(_ sensor: UUID, _ at: Date) { (self.sensor, self.at) = (sensor, at) }
        }
        @Model final class Report {
            @Attribute(.primaryKey) var id: UUID = UUID.v7()
            var readings: [Reading] = []
            init() {}
        }
        static let schema = Schema(Reading.self, Report.self)
    }

    @Test func `dates and UUIDs are parts of pairs`() async throws {
        try await withModelStore(of: Kinds.schema) { store in
            let context = ModelContext(store.container)
            let sensor = UUID()
            let report = Kinds.Report()
            report.readings = [0.000_001, 1_700_000_000.25].map {
                Kinds.Reading(sensor, Date(timeIntervalSince1970: $0))
            }
            context.insert(report)
            try await context.save()
            let fresh = ModelContext(store.container)
            let read = try #require(try await fresh.fetch(FetchDescriptor<Kinds.Report>()).first)
            #expect(
                Set(read.readings.map(\.persistentModelID)) == Set(report.readings.map(\.persistentModelID)))
            read.readings.removeFirst()
            let left = read.readings[0].persistentModelID
            #expect(
                try await fresh.fetch(
                    FetchDescriptor<Kinds.Reading>(predicate: #Predicate { !$0.reports.isEmpty })
                ).map(\.persistentModelID) == [left])
            try await fresh.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM reading_reports") == ["1"])
        }
    }
}
