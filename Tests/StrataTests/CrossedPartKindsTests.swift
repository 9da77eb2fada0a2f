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

/// Pairs, and subclasses, of keys with parts of other kinds: whose tenant's they are, dates and UUIDs.
@Suite(.timeLimit(.minutes(2))) struct CrossedPartKindsTests {
    enum Rows {
        @Model class Desk {
            #PrimaryKey<Desk>([\.tenant, \.number])
            @Attribute(.tenant) var tenant: String = ""
            var number: Int
            @Relationship(inverse: \Lamp.desks) var lamps: [Lamp] = []
            init(_ number: Int) { self.number = number }
        }
        @Model final class StandingDesk: Desk {
            var height = 70
        }
        @Model final class Lamp {
            #PrimaryKey<Lamp>([\.tenant, \.code])
            @Attribute(.tenant) var tenant: String = ""
            var code: String
            var desks: [Desk] = []
            init(_ code: String) { self.code = code }
        }
        static let schema = Schema(Desk.self, StandingDesk.self, Lamp.self)
    }

    /// A table opens with the policy that it was made with, which the server prints with several columns, and nobody sees another's pairs.
    @Test func `pairs and subclasses of tenants are theirs`() async throws {
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
                let standing = Rows.StandingDesk(2)
                standing.height += name.count
                context.insert(standing)
                try await context.save()
            }
            let context = try await ModelContext(container, tenant: "acme")
            let lit = try await context.fetch(
                FetchDescriptor<Rows.Lamp>(predicate: #Predicate { $0.desks.contains { $0.number == 1 } }))
            #expect(lit.map(\.code).sorted() == ["a", "acme"])
            let standing = try await context.fetch(FetchDescriptor<Rows.StandingDesk>())
            #expect(standing.map(\.height) == [74])
            standing.first?.height = 80
            try await context.save()
            try await context.insert(into: Rows.StandingDesk.self, \.number, \.height, rows: [(5, 75), (6, 76)])
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Rows.StandingDesk>(predicate: #Predicate { $0.number > 4 })) == 2)
            #expect(
                try await database.texts("SELECT tenant || number || height FROM standing_desk ORDER BY 1")
                    == ["acme280", "acme575", "acme676", "zoo273"])
            #expect(
                try await database.texts(
                    "SELECT polname FROM pg_policy WHERE polrelid = 'standing_desk'::regclass AND pg_get_expr(polqual, polrelid) LIKE "
                        + "'%(r.tenant = standing_desk.tenant) AND (r.number = standing_desk.number)%'") == [
                        "strata_tenant"
                    ])
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

    enum Lent {
        @Model final class Land {
            #PrimaryKey<Land>([\.code])
            var code: String
            @Relationship(table: "club_lands", columns: ["land"], inverse: \Club.lands) var clubs: [Club] = []
            init(_ code: String) { self.code = code }
        }
        @Model(keyColumn: "id") final class Club {
            var name: String
            @Relationship(column: "club") var lands: [Land] = []
            init(_ name: String) { self.name = name }
        }
    }

    /// The same, in other words.
    enum LentByName {
        @Model final class Land {
            #PrimaryKey<Land>([\.code])
            var code: String
            @Relationship(table: "club_lands", column: "land", inverse: \Club.lands) var clubs: [Club] = []
            init(_ code: String) { self.code = code }
        }
        @Model(keyColumn: "id") final class Club {
            var name: String
            @Relationship(column: "club") var lands: [Land] = []
            init(_ name: String) { self.name = name }
        }
    }
    enum LentByOther {
        @Model final class Land {
            #PrimaryKey<Land>([\.code])
            var code: String
            var clubs: [Club] = []
            init(_ code: String) { self.code = code }
        }
        @Model(keyColumn: "id") final class Club {
            var name: String
            @Relationship(table: "club_lands", column: "club", inverseColumn: "land", inverse: \Land.clubs)
            var lands: [Land] = []
            init(_ name: String) { self.name = name }
        }
    }

    /// The value at that end is the array of one, and at the other end the column.
    @Test func `pairs with a key of one part at one end`() async throws {
        let tables = [
            "CREATE TABLE land (code char(3) PRIMARY KEY)",
            "CREATE TABLE club (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, name text NOT NULL)",
            """
            CREATE TABLE club_lands (club bigint REFERENCES club ON DELETE CASCADE, land char(3) REFERENCES land ON DELETE CASCADE,
                PRIMARY KEY (club, land))
            """,
            "INSERT INTO land VALUES ('de'), ('fra')", "INSERT INTO club (name) VALUES ('chess')",
            "INSERT INTO club_lands SELECT id, 'de' FROM club",
        ]
        try await withExternalTables(tables, [LentByName.Land.self, LentByName.Club.self]) { store in
            let context = ModelContext(store.container)
            let clubs = try await context.fetch(FetchDescriptor<LentByName.Club>())
            #expect(clubs.map { $0.lands.map(\.code) } == [["de"]])
        }
        try await withExternalTables(tables, [LentByOther.Land.self, LentByOther.Club.self]) { store in
            let context = ModelContext(store.container)
            let clubs = try await context.fetch(FetchDescriptor<LentByOther.Club>())
            #expect(clubs.map { $0.lands.map(\.code) } == [["de"]])
        }
        try await withExternalTables(tables, [Lent.Land.self, Lent.Club.self]) { store in
            let context = ModelContext(store.container)
            let lands = try await context.fetch(FetchDescriptor<Lent.Land>(sortBy: [SortDescriptor(\.code)]))
            let chess = try #require(lands[0].clubs.first)
            #expect(chess.lands == [lands[0]] && lands[1].clubs.isEmpty)
            lands[1].clubs = [chess, Lent.Club("go")]
            lands[0].clubs.removeAll()
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT name || ' ' || land FROM club_lands JOIN club ON club.id = club ORDER BY 1") == [
                        "chess fra", "go fra",
                    ])
            let french = try await ModelContext(store.container).fetch(
                FetchDescriptor<Lent.Club>(predicate: #Predicate { $0.lands.contains { $0.code == "fra" } }))
            #expect(french.map(\.name).sorted() == ["chess", "go"])
            store.recorder.reset()
            let names = try await context.fetch(
                String.self,
                sql: """
                    SELECT \(\Lent.Club.name) FROM \(Lent.Land.self) JOIN \(joinTable: \Lent.Land.clubs) \
                    ON \(ownKey: \Lent.Land.clubs) = \(\Lent.Land.persistentModelID) JOIN \(Lent.Club.self) \
                    ON \(otherKey: \Lent.Land.clubs) = \(\Lent.Club.persistentModelID) ORDER BY 1
                    """)
            #expect(names == ["chess", "go"])
            #expect(
                store.recorder.statements.last?.contains(
                    #"ON (to_jsonb("club_lands"."land"::text) || '[]'::jsonb)::text = (to_jsonb("land"."code"::text) || '[]'::jsonb)::text"#
                )
                    == true, "\(store.recorder.statements)")
        }
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
