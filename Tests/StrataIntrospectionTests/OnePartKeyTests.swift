import Foundation
import Logging
import Strata
import StrataClient
import StrataModels
import StrataTestSupport
import Testing

/// Tables of others whose key is one column of a type that `.primaryKey` does not take: `#PrimaryKey` with one property.
enum OnePartSchema: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] {
        [Land.self, Town.self, Anthem.self, Holiday.self, Fingerprint.self, Tick.self]
    }

    /// `char(3)`.
    @Model final class Land {
        #PrimaryKey<Land>([\.code])
        var code: String
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Town.land) var towns: [Town] = []
        @Relationship(deleteRule: .cascade, inverse: \Anthem.land) var anthem: Anthem?
        init(_ code: String, _ name: String) { (self.code, self.name) = (code, name) }
    }

    @Model(keyColumn: "id") final class Town {
        var name: String
        @Relationship(column: "land_code") var land: Land?
        init(_ name: String, _ land: Land?) { (self.name, self.land) = (name, land) }
    }

    /// The same key once more.
    @Model final class Anthem {
        #PrimaryKey<Anthem>([\.code])
        var code: String
        @Relationship(columns: ["code"]) var land: Land
        var title: String
        init(_ land: Land, _ title: String) { (code, self.land, self.title) = (land.code, land, title) }
    }

    @Model final class Holiday {
        #PrimaryKey<Holiday>([\.day])
        var day: CalendarDate
        var name: String
        init(_ day: CalendarDate, _ name: String) { (self.day, self.name) = (day, name) }
    }

    @Model final class Fingerprint {
        #PrimaryKey<Fingerprint>([\.digest])
        var digest: Data
        var name: String
        init(_ digest: Data, _ name: String) { (self.digest, self.name) = (digest, name) }
    }

    /// `timestamp`.
    @Model final class Tick {
        #PrimaryKey<Tick>([\.at])
        var at: Date
        var value: Int
        init(_ at: Date, _ value: Int) { (self.at, self.value) = (at, value) }
    }
}

@Suite struct OnePartKeyTests {
    private typealias Land = OnePartSchema.Land
    private typealias Town = OnePartSchema.Town
    private typealias Anthem = OnePartSchema.Anthem
    private typealias Holiday = OnePartSchema.Holiday
    private typealias Fingerprint = OnePartSchema.Fingerprint
    private typealias Tick = OnePartSchema.Tick

    private func withTables(
        _ body: (StatementRecorder, ModelContainer, PostgresConnection) async throws -> Void
    ) async throws {
        try await withTestDatabase("keys of one part") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await database.execute(
                "CREATE TABLE land (code char(3) PRIMARY KEY, name text NOT NULL)",
                "CREATE TABLE town (id bigserial PRIMARY KEY, name text NOT NULL, land_code char(3) REFERENCES land ON DELETE CASCADE)",
                "CREATE TABLE anthem (code char(3) PRIMARY KEY REFERENCES land ON DELETE CASCADE, title text NOT NULL)",
                "CREATE TABLE holiday (day date PRIMARY KEY, name text NOT NULL)",
                "CREATE TABLE fingerprint (digest bytea PRIMARY KEY, name text NOT NULL)",
                "CREATE TABLE tick (at timestamp PRIMARY KEY, value bigint NOT NULL)",
                "INSERT INTO land VALUES ('de', 'Germany'), ('fra', 'France')",
                "INSERT INTO town (name, land_code) VALUES ('Jena', 'de'), ('Lyon', 'fra'), ('Atlantis', NULL)",
                "INSERT INTO anthem VALUES ('fra', 'Marseillaise')",
                "INSERT INTO holiday VALUES ('2024-05-01', 'May Day'), ('2024-10-03', 'Unity')",
                "INSERT INTO fingerprint VALUES ('\\x0aff', 'one')",
                "INSERT INTO tick VALUES ('2024-01-15 12:00:00.123456', 1)")
            let recorder = StatementRecorder()
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.tables = .external
            let container = try await ModelContainer(
                opening: Schema(versionedSchema: OnePartSchema.self), configurations: [configuration],
                logger: Logger(label: "test"), observer: recorder)
            defer { container.close() }
            try await body(recorder, container, connection)
        }
    }

    @Test func `a text that is filled up with blanks is the text without them`() async throws {
        try await withTables { recorder, container, connection in
            let context = ModelContext(container)
            let lands = try await context.fetch(FetchDescriptor<Land>(sortBy: [SortDescriptor(\.code)]))
            #expect(lands.map(\.code) == ["de", "fra"])
            #expect(
                recorder.statements.last == """
                    SELECT (to_jsonb(t0."code"::text) || '[]'::jsonb)::text, (t0."code"::text), t0."name" FROM "public"."land" AS t0 \
                    ORDER BY (t0."code"::text) COLLATE "C" ASC, t0."code"
                    """, "\(recorder.statements)")
            #expect(lands[0].towns.map(\.name) == ["Jena"])
            #expect(
                recorder.statements.last?.hasSuffix(
                    #"WHERE (t0."land_code") IN (SELECT * FROM unnest($1::text[]::bpchar[]))"#) == true,
                "\(recorder.statements)")
            #expect(lands[1].anthem?.title == "Marseillaise" && lands[1].anthem?.land === lands[1])
            let found = try await context.fetch(
                FetchDescriptor<Town>(predicate: #Predicate { $0.land?.name == "France" }))
            #expect(found.map(\.name) == ["Lyon"])
            #expect(
                recorder.statements.last?.contains(
                    #"LEFT JOIN "public"."land" AS t1 ON (t1."code") = (t0."land_code")"#) == true,
                "\(recorder.statements)")
            #expect(try await context.fetchCount(FetchDescriptor<Town>(predicate: #Predicate { $0.land == nil })) == 1)
            let known = try await context.model(Land.self, key: "de")
            #expect(known === lands[0])
            let identifier = lands[0].persistentModelID
            let other = ModelContext(container)
            #expect(try await other.existingModel(for: identifier, as: Land.self) != nil)

            // The value of such a reference is no column.
            let named = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(
                    Town.self, sql: "SELECT * FROM \(Town.self) WHERE \(\Town.land) = \(identifier)")
            }
            #expect(
                named?.code == .unsupportedKeyPath
                    && named?.message.contains("Town.land, whose foreign key leads to a key of parts, by land_code")
                        == true,
                "\(String(describing: named))")
            let single = await #expect(throws: SwiftDataError.self) { _ = try await context.model(Land.self, id: "de") }
            #expect(
                single?.message.contains(
                    "its key is of parts (#PrimaryKey), code. Ask by these: model(Land.self, key: …)") == true,
                "\(String(describing: single))")

            // New objects, moved references, and a row that is there.
            let spain = Land("es", "Spain")
            context.insert(Anthem(spain, "Marcha Real"))
            context.insert(Town("Avila", spain))
            found[0].land = lands[0]
            context.insert(Land("de", "Deutschland"))
            let twin = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(twin?.code == .foreignObject, "\(String(describing: twin))")
            try await context.save()
            other.insert(Land("de", "Deutschland"))
            try await other.save()
            #expect(
                try await connection.lines("SELECT code || name FROM land ORDER BY code") == [
                    "deDeutschland", "esSpain", "fraFrance",
                ])
            #expect(
                try await connection.lines("SELECT concat_ws(' ', name, land_code) FROM town ORDER BY name") == [
                    "Atlantis", "Avila es ", "Jena de ", "Lyon de ",
                ])
            let padded = Land("x ", "padded")
            context.insert(padded)
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.message.contains("Land.code is part of the key and ends with a blank") == true)
            context.rollback()
            context.delete(spain)
            try await context.save()
            #expect(try await connection.lines("SELECT title FROM anthem") == ["Marseillaise"])
        }
    }

    @Test func `days, bytes and moments without a time zone`() async throws {
        try await withTables { recorder, container, connection in
            let context = ModelContext(container)
            let days = try await context.fetch(FetchDescriptor<Holiday>(sortBy: [SortDescriptor(\.day)]))
            #expect(days.map(\.day.description) == ["2024-05-01", "2024-10-03"])
            let may = try #require(CalendarDate("2024-05-01"))
            #expect(try await ModelContext(container).model(Holiday.self, key: may).name == "May Day")
            let bytes = try await context.model(Fingerprint.self, key: Data([0x0A, 0xFF]))
            #expect(bytes.name == "one")
            let tick = try #require(try await context.fetch(FetchDescriptor<Tick>()).first)
            #expect(try await context.model(Tick.self, key: tick.at) === tick)
            days[0].name = "Tag der Arbeit"
            bytes.name = "uno"
            tick.value = 2
            context.insert(Holiday(try #require(CalendarDate("2024-12-25")), "Christmas"))
            context.insert(Fingerprint(Data(), "none"))
            context.insert(Tick(tick.at.addingTimeInterval(1), 3))
            context.delete(days[1])
            try await context.save()
            #expect(
                try await connection.lines("SELECT day || ' ' || name FROM holiday ORDER BY day") == [
                    "2024-05-01 Tag der Arbeit", "2024-12-25 Christmas",
                ])
            #expect(
                try await connection.lines("SELECT encode(digest, 'hex') || ' ' || name FROM fingerprint ORDER BY 1")
                    == [
                        " none", "0aff uno",
                    ])
            #expect(
                try await connection.lines("SELECT at || ' ' || value FROM tick ORDER BY at") == [
                    "2024-01-15 12:00:00.123456 2", "2024-01-15 12:00:01.123456 3",
                ])
            let page = try await context.fetchPage(FetchDescriptor<Holiday>(), size: 1)
            let next = try await context.fetchPage(FetchDescriptor<Holiday>(), after: page.next, size: 1)
            #expect(page.objects.map(\.name) + next.objects.map(\.name) == ["Tag der Arbeit", "Christmas"])
        }
    }

    @Test func `tables of Strata's own have no such keys`() async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            _ = try await ModelContainer(
                for: Schema(Holiday.self), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        }
        #expect(
            error?.message.contains(
                "Holiday.day: it is the whole #PrimaryKey, which keys are in tables of others only (tables = .external): the history and the files of "
                    + "migrations have no key of one part") == true, "\(String(describing: error))")
    }

    @Model(table: "land") final class Padded {
        @Attribute(.primaryKey) var code: String
        init(_ code: String) { self.code = code }
    }

    @Test func `a key by itself is not char(n)`() async throws {
        try await withTestDatabase("padded keys") { database in
            try await database.execute("CREATE TABLE land (code char(3) PRIMARY KEY)")
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.tables = .external
            let external = configuration
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await ModelContainer(for: Schema(Padded.self), configurations: [external])
            }
            #expect(
                error?.message.contains(
                    "column land.code has keys: of texts these can be text or varchar, which neither pad nor fold; in tables of others char(n) is a part "
                        + "of a key, #PrimaryKey instead of .primaryKey") == true, "\(String(describing: error))")
        }
    }
}
