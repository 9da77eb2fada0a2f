import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Many-to-many relationships of objects whose keys have several columns.
@Suite struct CrossedPartTests {
    private typealias Seat = Crossed.Seat
    private typealias Show = Crossed.Show
    private typealias Perk = Crossed.Perk

    /// Three seats, of which two are at both shows, and two perks of the first two.
    private func withSeats(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Crossed.schema) { store in
            let context = ModelContext(store.container)
            let seats = [Seat(1, "a"), Seat(1, "b, \"c\""), Seat(2, "a")]
            let (early, late) = (Show("early"), Show("late"))
            early.seats = [seats[1], seats[0]]
            late.seats = seats
            seats[0].shows = [late, early]
            seats[0].perks = [Perk("tea", 1), Perk("tea", 2)]
            seats[1].perks = [seats[0].perks[0]]
            seats[0].beside = [seats[1]]
            for seat in seats { context.insert(seat) }
            context.insert(early)
            context.insert(late)
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func seat(_ row: Int, _ number: String, _ context: ModelContext) async throws -> Seat {
        try await context.model(Seat.self, key: row, number)
    }

    private func show(_ name: String, _ context: ModelContext) async throws -> Show {
        try #require(try await context.fetch(FetchDescriptor<Show>(predicate: #Predicate { $0.name == name })).first)
    }

    private func name(_ seat: Seat) -> String { "\(seat.row)\(seat.number)" }

    private func seats(_ context: ModelContext, _ predicate: Predicate<Seat>) async throws -> [String] {
        try await context.fetch(
            FetchDescriptor<Seat>(predicate: predicate, sortBy: [SortDescriptor(\.row), SortDescriptor(\.number)])
        ).map(name)
    }

    /// What the tables of pairs have.
    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            """
            SELECT w.name || ': ' || string_agg(p.seat_row || p.seat_number, ' ' ORDER BY p.seats_position)
            FROM seat_shows p JOIN show w ON w.pk = p.show_pk GROUP BY w.name
            UNION ALL SELECT perk_code || perk_level || ': ' || string_agg(seat_row || seat_number, ' ' ORDER BY seat_row, seat_number)
            FROM perk_seats GROUP BY perk_code, perk_level
            UNION ALL SELECT besides_row || besides_number || ' beside ' || beside_row || beside_number FROM seat_beside ORDER BY 1
            """)
    }

    private static let stored = [
        "1a beside 1b, \"c\"", "early: 1b, \"c\" 1a", "late: 1a 1b, \"c\" 2a", "tea1: 1a 1b, \"c\"", "tea2: 1a",
    ]

    // MARK: Tables and statements

    @Test func `a table of pairs has all columns of both keys`() async throws {
        try await withSeats { store, _ in
            let constraints = try await store.database.texts(
                """
                SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint
                WHERE conrelid IN ('seat_shows'::regclass, 'perk_seats'::regclass, 'seat_beside'::regclass) AND contype IN ('p', 'f')
                ORDER BY 1
                """)
            #expect(
                constraints == [
                    "perk_seats: FOREIGN KEY (perk_code, perk_level) REFERENCES perk(code, level) ON DELETE CASCADE",
                    "perk_seats: FOREIGN KEY (seat_row, seat_number) REFERENCES seat(\"row\", number) ON DELETE CASCADE",
                    "perk_seats: PRIMARY KEY (perk_code, perk_level, seat_row, seat_number)",
                    "seat_beside: FOREIGN KEY (beside_row, beside_number) REFERENCES seat(\"row\", number) ON DELETE CASCADE",
                    "seat_beside: FOREIGN KEY (besides_row, besides_number) REFERENCES seat(\"row\", number) ON DELETE CASCADE",
                    "seat_beside: PRIMARY KEY (besides_row, besides_number, beside_row, beside_number)",
                    "seat_shows: FOREIGN KEY (seat_row, seat_number) REFERENCES seat(\"row\", number) ON DELETE CASCADE",
                    "seat_shows: FOREIGN KEY (show_pk) REFERENCES show(pk) ON DELETE CASCADE",
                    "seat_shows: PRIMARY KEY (seat_row, seat_number, show_pk)",
                ])
            #expect(try await rows(store) == Self.stored)
        }
    }

    @Test func `what is sent names the columns`() async throws {
        try await withSeats { store, context in
            let early = try await show("early", context)
            store.recorder.reset()
            #expect(early.seats.map(name) == ["1b, \"c\"", "1a"])
            #expect(
                store.recorder.statements == [
                    """
                    SELECT (to_jsonb(t0."row") || to_jsonb(t0."number"))::text, t0."row", t0."number", t0."label", j."show_pk" \
                    FROM "public"."seat" AS t0 JOIN "public"."seat_shows" AS j ON (t0."row", t0."number") = (j."seat_row", j."seat_number") \
                    WHERE j."show_pk" = ANY($1::bigint[]) ORDER BY j."seats_position", t0."row", t0."number"
                    """
                ])
            store.recorder.reset()
            #expect(early.seats[1].shows.map(\.name) == ["late", "early"])
            #expect(
                store.recorder.statements.first?.contains(
                    #"WHERE (j."seat_row", j."seat_number") IN (SELECT * FROM unnest($1::bigint[], $2::text[]))"#)
                    == true,
                "\(store.recorder.statements)")
            let perk = Perk("wine", 9)
            early.seats[1].perks.append(perk)
            early.seats.removeFirst()
            store.recorder.reset()
            try await context.save()
            for sql in [
                """
                DELETE FROM "public"."seat_shows" AS t USING unnest($1::text[], $2::bigint[]) AS u(a, b) \
                WHERE (t."seat_row", t."seat_number") = ((u.a::jsonb ->> 0)::bigint, (u.a::jsonb ->> 1)) AND t."show_pk" = u.b
                """,
                """
                INSERT INTO "public"."perk_seats" ("perk_code", "perk_level", "seat_row", "seat_number") \
                SELECT (u.a::jsonb ->> 0), (u.a::jsonb ->> 1)::bigint, (u.b::jsonb ->> 0)::bigint, (u.b::jsonb ->> 1) \
                FROM unnest($1::text[], $2::text[]) AS u(a, b) ON CONFLICT DO NOTHING
                """,
            ] {
                #expect(store.recorder.statements.contains { $0.contains(sql) }, "\(store.recorder.statements)")
            }
            store.recorder.reset()
            #expect(try await seats(context, #Predicate { $0.perks.contains { $0.level > 1 } }) == ["1a"])
            #expect(
                store.recorder.statements.last?.contains(
                    #"(t0."row", t0."number") = (t1."seat_row", t1."seat_number")"#) == true,
                "\(store.recorder.statements)")
            let sql: SQLStatement = """
                SELECT \(\Seat.label) FROM \(Seat.self) JOIN \(joinTable: \Seat.shows) ON \(ownKey: \Seat.shows) = \(\Seat.persistentModelID)
                """
            #expect(try await context.fetch(String.self, sql: sql).count == 4)
        }
    }

    // MARK: Reading

    @Test func `predicates, counts and prefetches agree with memory, over unsaved changes too`() async throws {
        try await withSeats { store, context in
            func check(_ place: String) async throws {
                let all = try await context.fetch(FetchDescriptor<Seat>())
                let tea = "tea"
                let (early, first) = (try await show("early", context), try await seat(1, "a", context))
                let (show, beside) = (early.persistentModelID, first.persistentModelID)
                let predicates: [Predicate<Seat>] = [
                    #Predicate { $0.shows.contains { $0.name == "early" } },
                    #Predicate { $0.shows.isEmpty }, #Predicate { $0.shows.count == 2 },
                    #Predicate { $0.perks.allSatisfy { $0.level == 1 } },
                    #Predicate { $0.perks.filter { $0.code == tea }.count > 1 },
                    #Predicate { $0.shows.contains { $0.persistentModelID == show } },
                    #Predicate { $0.besides.contains { $0.persistentModelID == beside } },
                    #Predicate { $0.beside.contains { $0.perks.isEmpty } },
                    #Predicate { !$0.perks.isEmpty && $0.beside.isEmpty },
                ]
                for (number, predicate) in predicates.enumerated() {
                    let expected = try all.filter { try predicate.evaluate($0) }.map(name).sorted()
                    #expect(try await seats(context, predicate).sorted() == expected, "\(place) \(number)")
                    #expect(
                        try await context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count,
                        "\(place) \(number)")
                }
            }
            try await check("as stored")
            var descriptor = FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.row), SortDescriptor(\.number)])
            descriptor.relationshipKeyPathsForPrefetching = [\.shows, \.perks, \.beside]
            let fresh = ModelContext(store.container)
            let all = try await fresh.fetch(descriptor)
            store.recorder.reset()
            #expect(all.map { $0.shows.map(\.name) } == [["late", "early"], ["early", "late"], ["late"]])
            #expect(all.map(\.perks.count) == [2, 1, 0] && all.map(\.beside.count) == [1, 0, 0])
            #expect(store.recorder.statements == [])
            // Unsaved: a new seat with links, links that go, and a show that is deleted.
            let new = Seat(3, "z")
            context.insert(new)
            new.shows = [try await show("early", context)]
            new.beside = [try await seat(2, "a", context)]
            try await seat(1, "a", context).perks.removeAll { $0.level == 2 }
            try await seat(2, "a", context).perks.append(Perk("wine", 1))
            try await check("links")
            context.delete(try await show("late", context))
            // What goes with an unsaved deletion is gone for the server, and in memory when it is saved.
            #expect(try await seats(context, #Predicate { $0.shows.isEmpty }) == ["2a"])
            #expect(try await seats(context, #Predicate { $0.shows.count == 1 }) == ["1a", "1b, \"c\"", "3z"])
            try await context.save()
            try await check("saved")
            #expect(
                try await rows(store) == [
                    "1a beside 1b, \"c\"", "3z beside 2a", "early: 1b, \"c\" 1a 3z", "tea1: 1a 1b, \"c\"", "wine1: 2a",
                ])
        }
    }

    // MARK: Writing

    @Test func `orders are kept at both ends, and what others append stays`() async throws {
        try await withSeats { store, context in
            let late = try await show("late", context)
            #expect(late.seats.count == 3)
            let other = ModelContext(store.container)
            try await show("late", other).seats.append(Seat(9, "x"))
            try await other.save()
            late.seats = [late.seats[2], late.seats[0], late.seats[1]]
            try await context.save()
            let reader = ModelContext(store.container)
            let again = try await show("late", reader)
            #expect(again.seats.map(name).filter { $0 != "9x" } == ["2a", "1a", "1b, \"c\""])
            #expect(again.seats.count == 4)
            let seat = try await seat(1, "a", context)
            seat.shows.reverse()
            try await context.save()
            let last = ModelContext(store.container)
            #expect(try await self.seat(1, "a", last).shows.map(\.name) == ["early", "late"])
        }
    }

    /// A stage gives no positions to rows with such keys, and another program none at all: the order is that of the columns, 9 before 10.
    @Test func `what has no position keeps the order of the columns when something is appended`() async throws {
        try await withModelStore(of: Crossed.schema) { store in
            let context = ModelContext(store.container)
            let show = Show("late")
            show.seats = [Seat(9, "b"), Seat(10, "a"), Seat(9, "a b"), Seat(9, "a")]
            context.insert(show)
            try await context.save()
            try await store.database.execute("UPDATE seat_shows SET seats_position = NULL")
            let expected = ["9a", "9a b", "9b", "10a"]
            let reader = ModelContext(store.container)
            let read = try await self.show("late", reader)
            #expect(read.seats.map(name) == expected)
            read.seats.append(Seat(11, "z"))
            try await reader.save()
            let again = ModelContext(store.container)
            #expect(try await self.show("late", again).seats.map(name) == expected + ["11z"])
            // Appended to a list that is not in memory, and moved within one that is.
            try await store.database.execute("UPDATE seat_shows SET seats_position = NULL")
            let other = ModelContext(store.container)
            let new = Seat(1, "y")
            other.insert(new)
            new.shows = [try await self.show("late", other)]
            try await other.save()
            let moving = ModelContext(store.container)
            let moved = try await self.show("late", moving)
            #expect(moved.seats.map(name) == expected + ["11z", "1y"])
            moved.seats.swapAt(0, 5)
            try await moving.save()
            let last = ModelContext(store.container)
            #expect(
                try await self.show("late", last).seats.map(name) == ["1y", "9a b", "9b", "10a", "11z", "9a"])
        }
    }

    @Test func `a fetch sees no links of what has no key yet, and a save refuses it`() async throws {
        try await withSeats { store, context in
            let perk = try await context.model(Perk.self, key: "tea", 1)
            let bad = Seat(7, "a\u{0}")
            context.insert(bad)
            perk.seats.append(bad)
            #expect(try await seats(context, #Predicate { $0.perks.isEmpty }) == ["2a"])
            #expect(try await seats(context, #Predicate { $0.perks.count > 0 }) == ["1a", "1b, \"c\""])
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused != nil)
            context.rollback()
            #expect(try await rows(store) == Self.stored)
        }
    }

    @Test func `delete rules follow pairs, and limits count them`() async throws {
        try await withSeats { store, context in
            // The second seat is beside the first one, which a deletion of the first is refused for.
            context.delete(try await seat(1, "a", context))
            let denied = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(denied?.code == .deleteDenied, "\(String(describing: denied))")
            context.rollback()
            #expect(try await rows(store) == Self.stored)
            // A perk takes its seats along, in memory or not; of a seat that goes with what is beside it nothing is refused.
            context.delete(try await context.model(Perk.self, key: "tea", 1))
            try await context.save()
            #expect(try await rows(store) == ["late: 2a"])
            #expect(try await seats(ModelContext(store.container), #Predicate { _ in true }) == ["2a"])
            let seat = try await seat(2, "a", context)
            seat.perks = (1...4).map { Perk("p", $0) }
            let many = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(many?.code == .modelValidationFailure, "\(String(describing: many))")
            seat.perks.removeLast()
            try await context.save()
            let other = ModelContext(store.container)
            try await other.model(Perk.self, key: "tea", 2).seats = [try await self.seat(2, "a", other)]
            let late = await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(late?.message.contains("Seat.perks") == true, "\(String(describing: late))")
            other.rollback()
            try other.delete(model: Perk.self, where: #Predicate { $0.code == "tea" })
            try await other.save()
            #expect(try await rows(store) == ["late: 2a", "p1: 2a", "p2: 2a", "p3: 2a"])
        }
    }

    @Test func `links to what others have deleted are refused, and again after a rollback`() async throws {
        try await withSeats { store, context in
            let seat = try await seat(2, "a", context)
            let perk = try await context.model(Perk.self, key: "tea", 2)
            try await store.database.execute("DELETE FROM perk WHERE level = 2")
            seat.perks.append(perk)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .modelNotFound, "\(String(describing: error))")
            context.rollback()
            #expect(seat.perks.isEmpty)
            // Both ends of two contexts say the same: once.
            let other = ModelContext(store.container)
            let tea = try await context.model(Perk.self, key: "tea", 1)
            seat.perks = [tea]
            try await other.model(Perk.self, key: "tea", 1).seats.append(try await self.seat(2, "a", other))
            try await context.save()
            try await other.save()
            #expect(try await rows(store).contains("tea1: 1a 1b, \"c\" 2a"))
        }
    }

    @Test func `undo, rollback and an upsert keep links`() async throws {
        try await withSeats { store, context in
            let undo = ModelUndoManager()
            context.undoManager = undo
            let second = try await seat(1, "b, \"c\"", context)
            let identifier = second.persistentModelID
            context.delete(second)
            try await context.save()
            #expect(
                try await rows(store) == ["early: 1a", "late: 1a 2a", "tea1: 1a", "tea2: 1a"])
            undo.undo()
            try await context.save()
            // What comes back comes to the end of lists.
            let undone = try await rows(store)
            #expect(
                undone.map { $0.split(separator: " ").sorted() }
                    == Self.stored.map { $0.split(separator: " ").sorted() })
            #expect(try await seat(1, "b, \"c\"", context).persistentModelID == identifier)
            undo.redo()
            context.rollback()
            context.undoManager = nil
            // A new object with the key of a row has its links beside those that it brings.
            let again = Seat(1, "a")
            again.label = "again"
            again.perks = [Perk("wine", 1)]
            let fresh = ModelContext(store.container)
            fresh.insert(again)
            try await fresh.save()
            let reader = ModelContext(store.container)
            let read = try await seat(1, "a", reader)
            #expect(read.label == "again" && read.perks.map(\.code).sorted().contains("wine") && read.shows.count == 2)
        }
    }

    // MARK: History

    @Test func `the history tells changes of links by the keys of several columns`() async throws {
        try await withSeats { store, context in
            let follower = ModelContext(store.container)
            let known = try await seat(2, "a", follower)
            #expect(known.perks.isEmpty && known.shows.map(\.name) == ["late"])
            let token = try #require(
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
            ).token
            let seat = try await seat(2, "a", context)
            seat.perks = [try await context.model(Perk.self, key: "tea", 2)]
            try await context.save()
            try await store.database.execute("DELETE FROM seat_shows WHERE seat_row = 2")
            let history = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            let changes = history.map { transaction in
                transaction.changes.map { change -> String in
                    let properties =
                        switch change {
                        case .update(let update as DefaultHistoryUpdate<Crossed.Seat>):
                            "\(update.updatedAttributes.map { $0 == \Seat.perks }) \(update.updatedAttributes.map { $0 == \Seat.shows })"
                        default: ""
                        }
                    return "\(change.changedPersistentIdentifier.entityName) \(properties)"
                }.sorted()
            }
            #expect(changes == [["Perk ", "Seat [true] [false]"], ["Seat [false] [true]", "Show "]])
            #expect(history[0].changes.map(\.changedPersistentIdentifier).contains(known.persistentModelID))
            _ = try await follower.mergeHistory(after: token)
            #expect(known.perks.map(\.level) == [2] && known.shows.isEmpty)
        }
    }

    // MARK: Tables of others

    @Test func `tables of others are read and written by the columns that they have`() async throws {
        let tables = [
            "CREATE TABLE hall (city varchar(40) NOT NULL, nr smallint NOT NULL, PRIMARY KEY (city, nr))",
            "CREATE TABLE player (id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text NOT NULL)",
            """
            CREATE TABLE played_at (who integer NOT NULL REFERENCES player ON DELETE CASCADE, hall_nr smallint NOT NULL,
                hall_city varchar(40) NOT NULL, PRIMARY KEY (who, hall_city, hall_nr),
                FOREIGN KEY (hall_city, hall_nr) REFERENCES hall ON DELETE CASCADE)
            """,
            "INSERT INTO hall VALUES ('Bern', 1), ('Bern', 2)", "INSERT INTO player (name) VALUES ('Ada'), ('Bo')",
            "INSERT INTO played_at VALUES (1, 2, 'Bern')",
        ]
        try await withExternalTables(tables, [CrossedForeign.Hall.self, CrossedForeign.Player.self]) { store in
            let context = ModelContext(store.container)
            let ada = try #require(
                try await context.fetch(
                    FetchDescriptor<CrossedForeign.Player>(predicate: #Predicate { $0.halls.contains { $0.nr == 2 } })
                ).first)
            #expect(ada.halls.map(\.nr) == [2])
            let first = try await context.model(CrossedForeign.Hall.self, key: "Bern", 1)
            ada.halls = [first]
            let bo = try await context.fetch(
                FetchDescriptor<CrossedForeign.Player>(predicate: #Predicate { $0.halls.isEmpty }))
            #expect(bo.map(\.name) == ["Bo"])
            first.players.append(bo[0])
            try await context.save()
            #expect(
                try await store.database.texts("SELECT who || hall_city || hall_nr FROM played_at ORDER BY 1") == [
                    "1Bern1", "2Bern1",
                ])
        }
    }
}

/// Tables that somebody else has made, in which the order of columns is another.
enum CrossedForeign {
    @Model final class Hall {
        #PrimaryKey<Hall>([\.city, \.nr])
        var city: String
        var nr: Int
        @Relationship(table: "played_at", columns: ["hall_city", "hall_nr"], inverse: \Player.halls)
        var players: [Player] = []
        init(_ city: String, _ nr: Int) {
            self.city = city
            self.nr = nr
        }
    }

    @Model(keyColumn: "id") final class Player {
        var name: String
        @Relationship(column: "who") var halls: [Hall] = []
        init(_ name: String) { self.name = name }
    }
}
