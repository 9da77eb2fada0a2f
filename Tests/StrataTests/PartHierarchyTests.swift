import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Subclasses of a class whose key has several columns. That programs see no difference to other keys is said by ``SingleTableTests``.
@Suite struct PartHierarchyTests {
    private typealias Site = Terrain.Site
    private typealias Hill = Terrain.Hill
    private typealias Lake = Terrain.Lake

    private func withSites(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Terrain.schema) { store in
            let context = ModelContext(store.container)
            let (site, hill, lake) = (Site(1, "a"), Hill(1, "b, \"c\""), Lake(2, "a"))
            hill.height = 300
            (lake.depth, lake.hill) = (20, hill)
            hill.paths = [Terrain.Path("north"), Terrain.Path("south")]
            for object in [site, hill, lake] { context.insert(object) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `the table of each class has the columns of the key, and refers to that of its superclass`() async throws
    {
        try await withSites { store, _ in
            let constraints = try await store.database.texts(
                """
                SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint
                WHERE conrelid::regclass::text IN ('site', 'hill', 'lake') AND contype IN ('p', 'f') ORDER BY 1
                """)
            #expect(
                constraints == [
                    "hill: FOREIGN KEY (region, name) REFERENCES site(region, name) ON DELETE CASCADE",
                    "hill: PRIMARY KEY (region, name)",
                    "lake: FOREIGN KEY (hill_region, hill_name) REFERENCES hill(region, name) ON DELETE SET NULL",
                    "lake: FOREIGN KEY (region, name) REFERENCES site(region, name) ON DELETE CASCADE",
                    "lake: PRIMARY KEY (region, name)", "site: PRIMARY KEY (region, name)",
                ])
        }
    }

    @Test func `what is sent names the columns, and searches the index of each table`() async throws {
        try await withSites { store, context in
            let key = "b, \"c\""
            let hill = try await context.model(Hill.self, key: 1, key)
            #expect(hill.height == 300 && hill.paths.map(\.name).sorted() == ["north", "south"])
            #expect(
                store.recorder.statements.first == """
                    SELECT (to_jsonb(t0."region") || to_jsonb(t0."name"))::text, t1."region", t1."name", t1."label", t0."height" \
                    FROM "public"."hill" AS t0 JOIN "public"."site" AS t1 ON (t1."region", t1."name") = (t0."region", t0."name") \
                    WHERE (t0."region", t0."name") = (($1::text::jsonb ->> 0)::bigint, ($1::text::jsonb ->> 1))
                    """, "\(store.recorder.statements)")
            context.insert(Hill(5, "new"))
            store.recorder.reset()
            try await context.save()
            #expect(
                store.recorder.statements.contains {
                    $0.contains(
                        #"INSERT INTO "public"."hill" ("region", "name", "height") SELECT (u.c0::jsonb ->> 0)::bigint, (u.c0::jsonb ->> 1), "#
                    )
                }, "\(store.recorder.statements)")
            // Four subclasses are read as one table, by the columns.
            store.recorder.reset()
            let all = try await context.fetch(FetchDescriptor<Site>(sortBy: [SortDescriptor(\.region)]))
            #expect(all.map { "\(type(of: $0))" }.sorted() == ["Hill", "Hill", "Lake", "Site"])
            #expect(
                store.recorder.statements.last?.contains(#"ON (t2."pk0", t2."pk1") = (t0."region", t0."name")"#)
                    == true,
                "\(store.recorder.statements)")
        }
    }

    @Test func `a new object with the key of a row updates it, and is one of its class`() async throws {
        try await withSites { store, context in
            let again = Hill(1, "b, \"c\"")
            again.height = 301
            context.insert(again)
            try await context.save()
            #expect(try await store.database.texts("SELECT height::text FROM hill") == ["301"])
            // A row of another class is no such object: neither where this context has it, nor where it is met in the database.
            context.insert(Lake(1, "b, \"c\""))
            let twin = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(twin?.code == .foreignObject, "\(String(describing: twin))")
            context.rollback()
            let fresh = ModelContext(store.container)
            fresh.insert(Lake(1, "b, \"c\""))
            let other = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(other?.code == .uniqueConstraint, "\(String(describing: other))")
            #expect(
                other?.message.contains("A new Lake has the Site.region, Site.name of a stored Hill.") == true,
                "\(String(describing: other))")
            #expect(
                try await store.database.texts("SELECT class FROM site ORDER BY region, name") == [
                    "Site", "Hill", "Lake",
                ])
        }
    }

    @Test func `the history knows the class of what others change in a subclass's table`() async throws {
        try await withSites { store, context in
            context.insert(Terrain.City(3, "c"))
            try await context.save()
            let token = try #require(
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
            ).token
            try await store.database.execute("UPDATE hill SET height = height + 1")
            try await store.database.execute("UPDATE town SET people = 5")
            try await store.database.execute(
                "UPDATE path SET hill_region = NULL, hill_name = NULL WHERE name = 'north'")
            let history = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            #expect(history.map(\.summary) == ["update Hill: height", "update City: people", "update Path: hill"])
            let hill = try await context.model(Hill.self, key: 1, "b, \"c\"")
            #expect(history.first?.changes.first?.changedPersistentIdentifier == hill.persistentModelID)
            // Whether a row of this table is a town or a city is looked up by the primary key of the root's.
            let source = try await store.database.texts(
                "SELECT prosrc FROM pg_proc WHERE prosrc LIKE '%FROM public.site AS r WHERE (r.region, r.name) = (%'")
            #expect(!source.isEmpty)
        }
    }

    @Test func `an object becomes one of another class, and goes with what belongs to it`() async throws {
        try await withSites { store, context in
            let site = try await context.model(Site.self, key: 1, "a")
            let hill = try await context.convert(site, to: Hill.self) { $0.height = 9 }
            try await context.save()
            #expect(try await store.database.texts("SELECT height::text FROM hill WHERE name = 'a'") == ["9"])
            hill.paths = [Terrain.Path("west")]
            try await context.save()
            context.delete(hill)
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT (SELECT count(*) FROM site) || ' ' || (SELECT count(*) FROM hill) || ' ' || (SELECT count(*) FROM path)"
                )
                    == ["2 1 2"])
        }
    }
}

extension PartHierarchyTests {
    /// What leads to it has its key before the deleted object goes: the row never has another one, in no table.
    @Test func `a new object in the place of a deleted one has its key at once`() async throws {
        try await withSites { store, context in
            let lake = try await context.model(Lake.self, key: 2, "a")
            let old = try #require(lake.hill)
            let new = Hill(9, "z")
            lake.hill = new
            context.delete(old)
            try await context.save()
            #expect(try await store.database.texts("SELECT hill_region || hill_name FROM lake") == ["9z"])
            let mark = Terrain.Mark()
            mark.site = try await context.model(Site.self, key: 1, "a")
            context.insert(mark)
            try await context.save()
            let first = try #require(mark.site)
            mark.site = Site(8, "y")
            context.delete(first)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT region || name || class FROM site ORDER BY 1") == [
                    "2aLake", "8ySite", "9zHill",
                ])
            #expect(try await store.database.texts("SELECT site_region || site_name FROM mark") == ["8y"])
        }
    }

    @Test func `a new object is looked for once, by the key in the root's table`() async throws {
        try await withSites { store, context in
            context.insert(Terrain.City(4, "d"))
            try await context.save()
            let sent = store.recorder.statements.filter { $0.contains("u(") || $0.contains("INSERT INTO \"public\"") }
            #expect(
                sent.filter { $0.contains("FOR NO KEY UPDATE OF t") }.count == 1
                    && sent.filter { $0.contains("INSERT INTO \"public\"") }.count == 3
                    && !sent.contains { $0.contains("OVER (PARTITION BY") }, "\(store.recorder.statements)")
        }
        try await withModelStore(PartedCrew.Member.self, PartedCrew.Officer.self) { store in
            let context = ModelContext(store.container)
            context.insert(PartedCrew.Officer(1, 1))
            store.recorder.reset()
            try await context.save()
            #expect(
                store.recorder.statements.filter { $0.contains("FOR NO KEY UPDATE OF t") }.count == 1
                    && !store.recorder.statements.contains { $0.contains("OVER (PARTITION BY") },
                "\(store.recorder.statements)")
        }
    }

    @Test func `in one table a class is changed with references of several columns, and loses them`() async throws {
        try await withModelStore(PartedCrew.Member.self, PartedCrew.Officer.self) { store in
            let context = ModelContext(store.container)
            let (member, mentor) = (PartedCrew.Member(1, 1), PartedCrew.Officer(1, 2))
            for object in [member, mentor] { context.insert(object) }
            try await context.save()
            let stored = {
                try await store.database.texts(
                    "SELECT concat_ws(' ', number, class, mentor_ship, mentor_number) FROM member ORDER BY number")
            }
            let officer = try await context.convert(member, to: PartedCrew.Officer.self) { $0.mentor = mentor }
            try await context.save()
            #expect(try await stored() == ["1 Officer 1 2", "2 Officer"])
            try await context.convert(officer, to: PartedCrew.Member.self)
            try await context.save()
            #expect(try await stored() == ["1 Member", "2 Officer"])
        }
    }

    @Test func `a key that is another object's is that of a subclass too`() async throws {
        try await withModelStore(PartedCrew.Owner.self, PartedCrew.Badge.self, PartedCrew.GoldBadge.self) { store in
            let context = ModelContext(store.container)
            let badge = PartedCrew.GoldBadge(PartedCrew.Owner())
            badge.level = 3
            context.insert(badge)
            try await context.save()
            #expect(badge.id != 0)
            let other = ModelContext(store.container)
            let read = try #require(
                try await other.fetch(FetchDescriptor<PartedCrew.Badge>()).first)
            #expect(
                (read as? PartedCrew.GoldBadge)?.level == 3
                    && read.owner.persistentModelID == badge.owner.persistentModelID)
            #expect(
                try await store.database.texts(
                    "SELECT (b.id = o.pk AND g.id = o.pk)::text FROM owner o, badge b, gold_badge g") == ["true"])
        }
    }

    private static let harbours = [
        "CREATE TABLE zone (code char(3) PRIMARY KEY, class text NOT NULL, name text NOT NULL)",
        "CREATE TABLE harbour (code char(3) PRIMARY KEY REFERENCES zone ON DELETE CASCADE, berths bigint NOT NULL)",
        "INSERT INTO zone VALUES ('de', 'Zone', 'Germany'), ('fr', 'Harbour', 'Brest')",
        "INSERT INTO harbour VALUES ('fr', 7)",
    ]

    @Test func `a key of one part in tables of others is in the table of each class`() async throws {
        try await withExternalTables(Self.harbours, [Terrain.Zone.self, Terrain.Harbour.self]) { store in
            let context = ModelContext(store.container)
            let brest = try await context.model(Terrain.Harbour.self, key: "fr")
            #expect(brest.berths == 7 && brest.name == "Brest" && brest.code == "fr")
            #expect(
                store.recorder.statements.last == """
                    SELECT (to_jsonb(t0."code"::text) || '[]'::jsonb)::text, (t1."code"::text), t1."name", t0."berths" \
                    FROM "public"."harbour" AS t0 JOIN "public"."zone" AS t1 ON (t1."code") = (t0."code") \
                    WHERE (t0."code") = (($1::text::jsonb ->> 0)::bpchar)
                    """, "\(store.recorder.statements)")
            brest.berths = 8
            let kiel = Terrain.Harbour("ki", "Kiel")
            context.insert(kiel)
            let germany = try await context.model(Terrain.Zone.self, key: "de")
            try await context.convert(germany, to: Terrain.Harbour.self) { $0.berths = 99 }
            try await context.save()
            let many = try await ModelContext(store.container).fetch(
                FetchDescriptor<Terrain.Zone>(
                    predicate: #Predicate { ($0 as? Terrain.Harbour)?.berths ?? 0 > 7 },
                    sortBy: [SortDescriptor(\.code)]))
            #expect(many.map(\.name) == ["Germany", "Brest"])
            context.delete(kiel)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT code || berths FROM harbour ORDER BY 1") == ["de99", "fr8"])
        }
    }

    @Test func `a key of two types would be two keys`() async throws {
        let other = Self.harbours.map {
            $0.replacing("harbour (code char(3)", with: "harbour (code varchar(3)")
        }
        let refused = await #expect(throws: SwiftDataError.self) {
            try await withExternalTables(other, [Terrain.Zone.self, Terrain.Harbour.self]) { _ in }
        }
        #expect(
            refused?.message.contains(" and leads to zone.code, which is ") == true
                && refused?.message.contains(": one key would be read as two.") == true,
            "\(String(describing: refused))")
    }
}

/// A crew in one table, and badges whose key is their owner's.
enum PartedCrew {
    @Model(inheritance: .singleTable) class Member {
        #PrimaryKey<Member>([\.ship, \.number])
        var ship: Int
        var number: Int
        init(_ ship: Int, _ number: Int) { (self.ship, self.number) = (ship, number) }
    }

    @Model final class Officer: Member {
        @Relationship(inverse: nil) var mentor: Member?
    }

    @Model final class Owner {
        @Relationship(deleteRule: .cascade, inverse: \Badge.owner) var badge: Badge?
        init() {}
    }

    @Model class Badge {
        @Attribute(.primaryKey) var id = 0
        @Relationship(columns: ["id"]) var owner: Owner
        init(_ owner: Owner) { self.owner = owner }
    }

    @Model final class GoldBadge: Badge {
        var level = 1
    }
}

/// A class with a key of two columns and four subclasses, of which one has another; and one with a key of one part.
enum Terrain {
    @Model class Zone {
        #PrimaryKey<Zone>([\.code])
        var code: String
        var name: String
        init(_ code: String, _ name: String) { (self.code, self.name) = (code, name) }
    }

    @Model final class Harbour: Zone {
        var berths = 0
    }

    static let schema = Schema(Site.self, Hill.self, Lake.self, Wood.self, Town.self, City.self, Path.self, Mark.self)

    @Model class Site {
        #PrimaryKey<Site>([\.region, \.name])
        var region: Int
        var name: String
        var label = ""
        init(_ region: Int, _ name: String) {
            self.region = region
            self.name = name
        }
    }

    @Model final class Hill: Site {
        var height = 0
        @Relationship(deleteRule: .cascade, inverse: \Path.hill) var paths: [Path] = []
    }

    @Model final class Lake: Site {
        var depth = 0
        @Relationship(inverse: nil) var hill: Hill?
    }

    @Model final class Wood: Site {
        var trees = 0
    }

    @Model class Town: Site {
        var people = 0
    }

    @Model final class City: Town {
        var districts = 0
    }

    @Model final class Mark {
        @Relationship(inverse: nil) var site: Site?
        init() {}
    }

    @Model final class Path {
        var name: String
        var hill: Hill?
        init(_ name: String) { self.name = name }
    }
}
