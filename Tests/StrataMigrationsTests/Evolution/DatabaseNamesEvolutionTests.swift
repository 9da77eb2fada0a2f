import StrataMigrations
import StrataModels
import StrataRepository
import Testing

/// Names in the database that the model gives: they are renames of tables and columns, and no difference where nothing is said.
@Suite("Evolution: names in the database") struct DatabaseNamesEvolutionTests {
    enum Plain {
        @Model class Trip {
            #Index<Trip>([\.name])
            @Attribute(.unique) var name: String = ""
            var owner: Guest?
            @Relationship(.ordered, inverse: \Guest.trips) var guests: [Guest] = []
            @Relationship(.ordered, inverse: nil) var notes: [Note] = []
            init() {}
        }
        @Model class BusinessTrip: Trip {
            var perdiem: Double?
        }
        @Model class Guest {
            var name: String = ""
            @Relationship(inverse: \Trip.owner) var owned: [Trip] = []
            var trips: [Trip] = []
            init() {}
        }
        @Model class Note {
            var text: String = ""
            init() {}
        }
    }
    enum Named {
        @Model(table: "Journeys", keyColumn: "id", classColumn: "kind") class Trip {
            #Index<Trip>([\.name])
            @Attribute(.unique, column: "Trip Name") var name: String = ""
            @Relationship(column: "owner_id") var owner: Guest?
            @Relationship(
                .ordered, table: "journey_guests", column: "journey_id", inverseColumn: "guest_id",
                inverse: \Guest.trips)
            var guests: [Guest] = []
            @Relationship(.ordered, column: "journey", inverse: nil) var notes: [Note] = []
            init() {}
        }
        @Model(table: "business_journeys") class BusinessTrip: Trip {
            @Attribute(column: "per_diem") var perdiem: Double?
        }
        @Model(table: "people", keyColumn: "person_no") class Guest {
            @Attribute(column: "pk") var name: String = ""
            @Relationship(inverse: \Trip.owner) var owned: [Trip] = []
            var trips: [Trip] = []
            init() {}
        }
        @Model class Note {
            var text: String = ""
            init() {}
        }
    }
    /// Names that were others' before.
    enum Exchanged {
        @Model(table: "people", keyColumn: "person_no") class Trip {
            @Attribute(column: "pk") var name: String = ""
            init() {}
        }
        @Model(table: "Journeys", keyColumn: "kind") class Guest {
            @Attribute(column: "id") var name: String = ""
            init() {}
        }
    }
    enum Unexchanged {
        @Model(table: "Journeys", keyColumn: "kind") class Trip {
            @Attribute(column: "id") var name: String = ""
            init() {}
        }
        @Model(table: "people", keyColumn: "person_no") class Guest {
            @Attribute(column: "pk") var name: String = ""
            init() {}
        }
    }
    /// The property is renamed, and its column stays.
    enum Renamed {
        @Model class Item {
            @Attribute(column: "title", originalName: "title") var name: String = ""
            init() {}
        }
    }
    enum Titled {
        @Model class Item {
            var title: String = ""
            init() {}
        }
    }
    /// The property stays, and its column is renamed.
    enum Columned {
        @Model class Item {
            @Attribute(column: "label") var title: String = ""
            init() {}
        }
    }

    private static let plain: [any PersistentModel.Type] = [
        Plain.Trip.self, Plain.BusinessTrip.self, Plain.Guest.self, Plain.Note.self,
    ]
    private static let named: [any PersistentModel.Type] = [
        Named.Trip.self, Named.BusinessTrip.self, Named.Guest.self, Named.Note.self,
    ]
    private static let rows = [
        "INSERT INTO guest (pk, name) VALUES (1, 'Ann'), (2, 'Ben')",
        "INSERT INTO trip (pk, class, name, owner) VALUES (1, 'Trip', 'Rome', 1), (2, 'BusinessTrip', 'Oslo', 2)",
        "INSERT INTO business_trip (pk, perdiem) VALUES (2, 12.5)",
        "INSERT INTO guest_trips (guest_pk, trip_pk, guests_position) VALUES (1, 1, 5), (2, 1, 4), (1, 2, NULL)",
        "INSERT INTO note (pk, text, trip_notes, notes_position) VALUES (1, 'a', 1, 7), (2, 'b', NULL, NULL)",
    ]
    private static let namedRows = [
        "INSERT INTO people (person_no, pk) VALUES (1, 'Ann'), (2, 'Ben')",
        #"INSERT INTO "Journeys" (id, kind, "Trip Name", owner_id) VALUES (1, 'Trip', 'Rome', 1), (2, 'BusinessTrip', 'Oslo', 2)"#,
        "INSERT INTO business_journeys (id, per_diem) VALUES (2, 12.5)",
        "INSERT INTO journey_guests (guest_id, journey_id, guests_position) VALUES (1, 1, 5), (2, 1, 4), (1, 2, NULL)",
        "INSERT INTO note (pk, text, journey, notes_position) VALUES (1, 'a', 1, 7), (2, 'b', NULL, NULL)",
    ]

    @Test func `all names of a hierarchy change in the switch, and back`() async throws {
        try await Evolution(Self.plain, Self.named).run(
            seed: Self.rows,
            expecting: """
                SELECT t.id, t.kind, t."Trip Name", b.per_diem, p.pk,
                    (SELECT string_agg(g.guest_id::text, ',' ORDER BY g.guests_position) FROM journey_guests g WHERE g.journey_id = t.id) AS g,
                    (SELECT count(*) FROM note n WHERE n.journey = t.id) AS n
                FROM "Journeys" t LEFT JOIN business_journeys b USING (id) JOIN people p ON p.person_no = t.owner_id ORDER BY t.id
                """,
            is: ["1|Trip|Rome|nil|Ann|2,1|1", "2|BusinessTrip|Oslo|12.5|Ben|1|0"], returning: .whole)
    }

    @Test func `names that the model gives no longer are those of the rule`() async throws {
        try await Evolution(Self.named, Self.plain).run(
            seed: Self.namedRows,
            expecting:
                "SELECT pk, class, name, perdiem, (SELECT count(*) FROM guest_trips WHERE trip_pk = pk) AS n FROM trip LEFT JOIN business_trip USING (pk) ORDER BY pk",
            is: ["1|Trip|Rome|nil|2", "2|BusinessTrip|Oslo|12.5|1"], returning: .whole)
    }

    @Test func `a change of names is one step of both codes, typed as a switch`() throws {
        let script = try Evolution(Self.plain, Self.named).scripts()[1]
        let steps = script.steps.filter { $0.operation == .switchNames }
        #expect(steps.count == 1)
        let text = steps.flatMap(\.statements).joined(separator: "\n")
        for rename in [
            #"ALTER TABLE "public"."trip" RENAME COLUMN "pk" TO "id""#,
            #"ALTER TABLE "public"."business_trip" RENAME COLUMN "pk" TO "id""#,
            #"ALTER TABLE "public"."trip" RENAME COLUMN "class" TO "kind""#,
            #"ALTER SEQUENCE IF EXISTS "public"."trip_pk_seq" RENAME TO "Journeys_id_seq""#,
            #"ALTER TABLE "public"."guest_trips" RENAME COLUMN "trip_pk" TO "journey_id""#,
            #"ALTER TABLE "public"."note" RENAME COLUMN "trip_notes" TO "journey""#,
        ] { #expect(text.contains(rename), "\(rename) in\n\(text)") }
    }

    @Test func `no new name is no difference`() throws {
        for classes in [Self.plain, Self.named] {
            let script = try Evolution(classes, classes).scripts()[1]
            #expect(
                script.steps.filter { ![.recordVersion, .recordHistory].contains($0.operation) }.map(\.title) == [])
        }
    }

    @Test func `classes take each other's tables and columns`() async throws {
        try await Evolution(
            [Unexchanged.Trip.self, Unexchanged.Guest.self], [Exchanged.Trip.self, Exchanged.Guest.self]
        ).run(
            seed: [
                #"INSERT INTO "Journeys" (kind, id) VALUES (1, 'Rome'), (2, 'Oslo')"#,
                "INSERT INTO people (person_no, pk) VALUES (7, 'Ann')",
            ],
            expecting:
                #"SELECT person_no::text, pk FROM people UNION ALL SELECT kind::text, id FROM "Journeys" ORDER BY 1"#,
            is: ["1|Rome", "2|Oslo", "7|Ann"], returning: .whole)
    }

    @Test func `a property is renamed and keeps its column: nothing moves`() async throws {
        let evolution = try Evolution([Titled.Item.self], [Renamed.Item.self])
        #expect(try evolution.scripts()[1].steps.allSatisfy { $0.operation != .switchNames })
        try await evolution.run(
            seed: ["INSERT INTO item (title) VALUES ('a')"], expecting: "SELECT title FROM item", is: ["a"],
            returning: .whole)
    }

    @Test func `a column is renamed, also side by side`() async throws {
        for changes: [SchemaChange] in [[], [.sideBySide(\Columned.Item.title)]] {
            try await Evolution([Titled.Item.self], [Columned.Item.self], changes: changes).run(
                seed: ["INSERT INTO item (title) VALUES ('a')"], expecting: "SELECT label FROM item", is: ["a"],
                returning: .whole)
        }
    }

    // MARK: With other changes

    enum Split {
        @Model(table: "Journeys", keyColumn: "id", classColumn: "kind") class Trip {
            @Attribute(column: "Trip Name") var name: String = ""
            init() {}
        }
        @Model(table: "business_journeys") class BusinessTrip: Trip {
            @Attribute(column: "per_diem") var perdiem: Double?
        }
    }
    enum Flat {
        @Model class Trip {
            var name: String = ""
            var perdiem: Double?
            init() {}
        }
    }
    enum FlatNamed {
        @Model(table: "Journeys", keyColumn: "id") class Trip {
            @Attribute(column: "Trip Name") var name: String = ""
            @Attribute(column: "per_diem") var perdiem: Double?
            init() {}
        }
    }

    @Test func `rows are split off into a subclass with names, under other names or the same`() async throws {
        for (before, seed) in [
            ([Flat.Trip.self], "INSERT INTO trip (pk, name, perdiem) VALUES (1, 'Rome', NULL), (2, 'Oslo', 12.5)"),
            (
                [FlatNamed.Trip.self],
                #"INSERT INTO "Journeys" (id, "Trip Name", per_diem) VALUES (1, 'Rome', NULL), (2, 'Oslo', 12.5)"#
            ),
        ] as [([any PersistentModel.Type], String)] {
            let condition = before[0] == Flat.Trip.self ? "perdiem IS NOT NULL" : "per_diem IS NOT NULL"
            try await Evolution(
                before, [Split.Trip.self, Split.BusinessTrip.self],
                changes: [.split(Split.BusinessTrip.self, where: condition)]
            ).run(
                seed: [seed],
                expecting:
                    #"SELECT id, kind, "Trip Name", per_diem FROM "Journeys" LEFT JOIN business_journeys USING (id) ORDER BY id"#,
                is: ["1|Trip|Rome|nil", "2|BusinessTrip|Oslo|12.5"], returning: .whole)
        }
    }

    @Test func `subclasses are merged, and names change`() async throws {
        try await Evolution(
            [Split.Trip.self, Split.BusinessTrip.self], [Flat.Trip.self],
            changes: [.merged(Split.BusinessTrip.self, into: Flat.Trip.self)]
        ).run(
            seed: [
                #"INSERT INTO "Journeys" (id, kind, "Trip Name") VALUES (1, 'Trip', 'Rome'), (2, 'BusinessTrip', 'Oslo')"#,
                "INSERT INTO business_journeys (id, per_diem) VALUES (2, 12.5)",
            ],
            expecting: "SELECT pk, name, perdiem FROM trip ORDER BY pk", is: ["1|Rome|nil", "2|Oslo|12.5"],
            returning: .asPlanned)
    }

    // MARK: What has its new names when it is read

    enum Apart {
        @Model class Thing {
            var name: String = ""
            init() {}
        }
        @Model class Item {
            var name: String = ""
            var note: String?
            init() {}
        }
    }
    /// A column of the table that rows leave takes the name of one that they are read from.
    enum Joined {
        @Model class Thing {
            var name: String = ""
            init() {}
        }
        @Model class Item: Thing {
            @Attribute(column: "name") var note: String?
        }
    }

    @Test func `rows that move behind the switch are read from columns under their new names`() async throws {
        try await Evolution([Apart.Thing.self, Apart.Item.self], [Joined.Thing.self, Joined.Item.self]).run(
            seed: [
                "INSERT INTO thing (pk, name) VALUES (1, 'a')",
                "INSERT INTO item (pk, name, note) VALUES (2, 'b', 'n')",
            ],
            expecting:
                "SELECT t.pk, t.class AS kind, t.name, i.name AS note FROM thing t LEFT JOIN item i USING (pk) ORDER BY pk",
            is: ["1|Thing|a|nil", "2|Item|b|n"], returning: .asPlanned)
    }

    enum Graded {
        @Model class Item {
            var `class`: Int = 0
            init() {}
        }
    }
    enum Categorized {
        @Model class Item {
            @Attribute(column: "category") var `class`: Int = 0
            init() {}
        }
        @Model class Special: Item {}
    }

    @Test func `until the switch the history looks for a row's class where it is`() throws {
        let script = try Evolution([Graded.Item.self], [Categorized.Item.self, Categorized.Special.self]).scripts()[1]
        let early = script.steps.prefix { $0.operation != .switchNames }.flatMap(\.statements).joined(separator: "\n")
        #expect(early.contains(#""Item": {"class": "class__new"}"#), "\(early)")
    }

    // MARK: History

    /// Kind, class, key and properties of each change.
    private static let changes = """
        SELECT concat_ws(' ', c."op", e."name", c."pk", (
            SELECT string_agg(p."name", ',' ORDER BY p."name") FROM strata.history_property AS p
            WHERE p."root" = e."root" AND p."bit" / 63 = e."word" AND c."props" & (1::bigint << (p."bit" % 63)) <> 0))
        FROM strata.history_change AS c JOIN strata.history_entity AS e ON e."id" = c."entity"
        WHERE c."op" IN ('U', 'u', 'D', 'd') ORDER BY c."seq"
        """

    @Test func `changes from before a rename lead to the properties, and so do those from after it and going back`()
        async throws
    {
        let evolution = try Evolution(Self.plain, Self.named)
        try await evolution.withDatabase("history", seed: Self.rows) { database, runner, scripts in
            try await database.execute(
                "UPDATE trip SET name = 'Paris' WHERE pk = 1", "UPDATE business_trip SET perdiem = 13 WHERE pk = 2")
            try await blocking { try runner.apply(scripts) }
            try await database.execute(
                #"UPDATE "Journeys" SET "Trip Name" = 'Nice', owner_id = 2 WHERE id = 1"#,
                "UPDATE business_journeys SET per_diem = 14 WHERE id = 2",
                "INSERT INTO journey_guests (guest_id, journey_id) VALUES (2, 2)",
                #"DELETE FROM "Journeys" WHERE id = 2"#)
            try await blocking { try runner.rollback(scripts[1]) }
            try await database.execute("UPDATE trip SET name = 'Lyon' WHERE pk = 1")
            let found = try await database.texts(Self.changes)
            #expect(
                found.filter { !$0.contains("Guest") } == [
                    "u Trip 1 guests", "u BusinessTrip 2 guests", "u Trip 1 notes",
                    "U Trip 1 name", "u BusinessTrip 2 perdiem",
                    "U Trip 1 name,owner", "u BusinessTrip 2 perdiem", "u BusinessTrip 2 guests",
                    // Of an object that is gone the pairs are those of an object of the relationship's class.
                    "D BusinessTrip 2", "d BusinessTrip 2", "u Trip 2 guests",
                    "U Trip 1 name",
                ], "\(found)")
        }
    }

    // MARK: Frozen schemas

    @Test func `a frozen schema holds the names, and is read again`() throws {
        let frozen = try FrozenSchema(freezing: Schema(Self.named, version: Schema.Version(1, 0, 0)))
        let text = frozen.canonicalJSON
        #expect(try FrozenSchema(canonicalJSON: text, file: "V1.json") == frozen)
        let root = frozen.database.table(named: "Journeys")
        #expect(root?.keyColumn == "id" && root?.classColumn == "kind")
        #expect(frozen.entity(named: "Trip")?.attributes.map(\.column) == ["Trip Name"])
        #expect(frozen.database.table(named: "business_journeys")?.keyColumn == "id")
        #expect(frozen.database.table(named: "journey_guests")?.keyColumn == nil)
    }
}
