import Foundation
import Strata
import Testing

@Model private final class Slot {
    @Attribute(.unique) var code: String
    var note: String = ""
    var shelf: Shelf?
    init(_ code: String) { self.code = code }
}

@Model private final class Shelf {
    #Unique<Shelf>([\.row, \.column])
    @Attribute(.unique) var name: String
    var row: Int
    var column: Int
    @Relationship(inverse: \Slot.shelf) var slots: [Slot] = []
    init(_ name: String, row: Int = 0, column: Int = 0) {
        self.name = name
        self.row = row
        self.column = column
    }
}

@Model private final class Seat {
    #Unique<Seat>([\.table, \.number])
    var number: Int
    var note: String = ""
    @Relationship(inverse: nil) var table: Shelf?
    init(_ number: Int, table: Shelf) {
        self.number = number
        self.table = table
    }
}

@Model private final class Booking {
    #Unique<Booking>([\.room, \.guest])
    var note: String
    @Relationship(inverse: nil) var room: Shelf?
    @Relationship(inverse: nil) var guest: Shelf?
    init(_ note: String, room: Shelf, guest: Shelf) {
        self.note = note
        self.room = room
        self.guest = guest
    }
}

@Model private final class Crate {
    @Attribute(.unique) var code: String
    @Attribute(.unique, .preserveValueOnDeletion) var number: Int32
    @Relationship(deleteRule: .cascade, inverse: \Parcel.crate) var parcels: [Parcel] = []
    @Relationship(inverse: nil) var place: Shelf?
    init(_ code: String, number: Int32 = 0) {
        self.code = code
        self.number = number
    }
}

@Model private final class Parcel {
    var name: String
    var crate: Crate
    init(_ name: String, crate: Crate) {
        self.name = name
        self.crate = crate
    }
}

private enum Kinds {
    @Model class Thing {
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Model final class Book: Thing {
        @Attribute(.unique) var code: String
        init(_ name: String, code: String) {
            self.code = code
            super.init(name)
        }
    }

    @Model final class Plant: Thing {
        var height: Int
        init(_ name: String, height: Int) {
            self.height = height
            super.init(name)
        }
    }
}

@Model private final class Site {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Rack.site) var racks: [Rack] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Rack {
    var name: String
    var site: Site?
    @Relationship(deleteRule: .cascade, inverse: \Tray.rack) var trays: [Tray] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Tray {
    @Attribute(.unique) var code: String
    var note: String = ""
    var rack: Rack?
    init(_ code: String, rack: Rack) {
        self.code = code
        self.rack = rack
    }
}

@Model private final class Crew {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Permit.crews) var permits: [Permit] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Permit {
    @Attribute(.unique) var code: String
    var note: String = ""
    var crews: [Crew] = []
    init(_ code: String) { self.code = code }
}

/// Unique values that pass from one object to another in one save.
@Suite struct UniqueOrderTests {
    private func withCrates(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Crate.self, Parcel.self, Slot.self, Shelf.self) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func withShelves(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Slot.self, Shelf.self, Seat.self, Booking.self) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `a value is free although its former owner refers to a new object`() async throws {
        try await withShelves { store, context in
            let old = Slot("x")
            context.insert(old)
            try await context.save()
            old.code = "y"
            old.note = "moved"
            old.shelf = Shelf("new")
            context.insert(Slot("x"))
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 2)
            let reader = ModelContext(store.container)
            let slots = try await reader.fetch(FetchDescriptor<Slot>(sortBy: [SortDescriptor(\.code)]))
            #expect(slots.map(\.code) == ["x", "y"])
            #expect(slots.map { $0.shelf?.name } == [nil, "new"])
            #expect(slots[1].note == "moved")
        }
    }

    @Test func `a value that belongs to a constraint with the new object waits for it`() async throws {
        try await withShelves { store, context in
            let shelf = Shelf("A")
            let (first, second) = (Seat(1, table: shelf), Seat(2, table: shelf))
            for seat in [first, second] { context.insert(seat) }
            try await context.save()
            // Number 1 is taken at the old table, and free at the new one.
            second.number = 1
            second.table = Shelf("B", row: 1)
            second.note = "moved"
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(
                FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.note)]))
            #expect(read.map(\.number) == [1, 1])
            #expect(read[1].table?.name == "B")
        }
    }

    @Test func `a value is free although somebody leaves the deleted owner`() async throws {
        try await withShelves { store, context in
            let (old, other) = (Shelf("A"), Shelf("B", row: 1))
            old.slots = [Slot("x"), Slot("z")]
            context.insert(old)
            context.insert(other)
            try await context.save()
            let moved = try #require(old.slots.first { $0.code == "x" })
            moved.shelf = other
            moved.note = "moved"
            context.delete(old)
            let new = Shelf("A")
            context.insert(new)
            try await context.save()
            #expect(!context.hasChanges)
            let reader = ModelContext(store.container)
            let slots = try await reader.fetch(FetchDescriptor<Slot>(sortBy: [SortDescriptor(\.code)]))
            #expect(slots.map { $0.shelf?.name } == ["B", nil])
            #expect(slots[0].note == "moved")
            #expect(try await reader.fetch(FetchDescriptor<Shelf>()).count == 2)
        }
    }

    @Test func `a value of a deleted object is free although another object leaves what is deleted for what is new`()
        async throws
    {
        try await withShelves { store, context in
            let (shelf, slot, doomed) = (Shelf("A"), Slot("moves"), Slot("x"))
            for model in [slot, doomed] { context.insert(model) }
            slot.shelf = shelf
            try await context.save()
            context.delete(doomed)
            context.insert(Slot("x"))
            context.delete(shelf)
            slot.shelf = Shelf("B", row: 1)
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 2)
            let reader = ModelContext(store.container)
            let slots = try await reader.fetch(FetchDescriptor<Slot>(sortBy: [SortDescriptor(\.code)]))
            #expect(slots.map(\.code) == ["moves", "x"])
            #expect(slots.map { $0.shelf?.name } == ["B", nil])
        }
    }

    @Test func `a new object takes the place of a deleted one: its unique values, and what refers to it`() async throws
    {
        try await withCrates { store, context in
            let old = Crate("A", number: 1)
            context.insert(old)
            for name in ["one", "two"] { context.insert(Parcel(name, crate: old)) }
            try await context.save()
            let token = try #require(context.historyToken)
            let new = Crate("A", number: 1)
            context.insert(new)
            new.place = Shelf("new")
            for parcel in old.parcels { parcel.crate = new }
            context.delete(old)
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 2)
            #expect(
                store.recorder.statements.filter { !$0.hasPrefix("SELECT") } == [
                    "BEGIN",
                    "SET CONSTRAINTS ALL DEFERRED",
                    #"INSERT INTO "public"."shelf" ("pk", "name", "row", "column") SELECT u.c0, u.c1, u.c2, u.c3 "#
                        + "FROM (SELECT $1::bigint AS c0, $2::text AS c1, $3::bigint AS c2, $4::bigint AS c3) AS u",
                    // Its code and number are values that nobody has, as long as the deleted row has them.
                    #"INSERT INTO "public"."crate" ("pk", "code", "number", "place") SELECT u.c0, u.c1, u.c2, u.c3 "#
                        + "FROM (SELECT $1::bigint AS c0, $2::text AS c1, $3::integer AS c2, $4::bigint AS c3) AS u",
                    #"WITH written AS (UPDATE "public"."parcel" AS t SET "crate" = u.n0 "#
                        + "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(pk, n0, o0) "
                        + #"WHERE t."pk" = u.pk AND t."crate" IS NOT DISTINCT FROM u.o0 RETURNING t."pk") "#
                        + "SELECT 1 FROM written HAVING 1 / (count(*) = cardinality($1))::int = 0",
                    "WITH RECURSIVE doomed(root, pk) AS (SELECT 0, s.pk FROM unnest($1::bigint[]) AS s(pk) "
                        + "UNION SELECT e.root, e.pk FROM doomed AS d CROSS JOIN LATERAL "
                        + #"(SELECT 1, t."pk" FROM "public"."parcel" AS t "#
                        + #"WHERE d.root = 0 AND t."crate" = d.pk AND t."pk" IS NOT NULL) AS e(root, pk)), "#
                        + #"d0 AS (DELETE FROM "public"."crate" "#
                        + #"WHERE "pk" = ANY (ARRAY(SELECT pk FROM doomed WHERE root = 0))), "#
                        + #"d1 AS (DELETE FROM "public"."parcel" "#
                        + #"WHERE "pk" = ANY (ARRAY(SELECT pk FROM doomed WHERE root = 1))) SELECT root, pk FROM doomed"#,
                    #"WITH written AS (UPDATE "public"."crate" AS t SET "code" = $2::text, "number" = $3::integer "#
                        + #"WHERE t."pk" = $1::bigint RETURNING t."pk") "#
                        + "SELECT 1 FROM written HAVING 1 / (count(*) = 1)::int = 0",
                    "COMMIT",
                ])
            let reader = ModelContext(store.container)
            let crates = try await reader.fetch(FetchDescriptor<Crate>())
            #expect(crates.map(\.code) == ["A"])
            #expect(crates.map(\.number) == [1])
            #expect(crates.first?.persistentModelID == new.persistentModelID)
            #expect(crates.first?.place?.name == "new")
            #expect(Set(crates.first?.parcels.map(\.name) ?? []) == ["one", "two"])
            // One change of each object, and the values that it had.
            let changes = try await reader.fetchHistory(after: token, limit: 100).transactions.flatMap(\.changes)
            #expect(changes.count == 5)
            for case .delete(let deletion) in changes {
                #expect((deletion as? DefaultHistoryDelete<Crate>)?.tombstone[\.number] as? Int32 == 1)
                #expect(deletion.changedPersistentIdentifier == old.persistentModelID)
            }
        }
    }

    /// A deletion that comes first clears the reference, and what others have written into it is gone before it is compared.
    @Test(arguments: [false, true])
    func `a reference that others let lead to what is deleted is a conflict, whenever the deletion comes`(
        deletesFirst: Bool
    ) async throws {
        try await withShelves { store, context in
            let (shelf, other, slot) = (Shelf("A"), Shelf("B", row: 1), Slot("x"))
            for model in [shelf, other] { context.insert(model) }
            context.insert(slot)
            try await context.save()
            let others = ModelContext(store.container)
            let theirs = try #require(try await others.fetch(FetchDescriptor<Slot>()).first)
            theirs.shelf = try await others.fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.name == "A" }))
                .first
            try await others.save()
            slot.shelf = other
            context.delete(shelf)
            if deletesFirst { context.insert(Shelf("A")) }
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict)
            #expect(error?.conflicts.map(\.propertyName) == ["shelf"])
            context.conflictPolicy = .overwrite
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Slot>())
            #expect(read.map { $0.shelf?.name } == ["B"])
        }
    }

    @Test func `who leaves a deleted owner may take its value`() async throws {
        try await withShelves { store, context in
            let (old, other) = (Shelf("A"), Shelf("B", row: 1))
            let slot = Slot("x")
            let doomed = Slot("y")
            slot.shelf = old
            for model in [old, other] { context.insert(model) }
            for model in [slot, doomed] { context.insert(model) }
            try await context.save()
            context.delete(old)
            context.delete(doomed)
            slot.shelf = other
            slot.code = "y"
            context.insert(Shelf("A"))
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Slot>())
            #expect(read.map(\.code) == ["y"])
            #expect(read.first?.shelf?.name == "B")
        }
    }

    @Test(arguments: [false, true])
    func `what is deleted and what is new may be in one constraint of who leaves the one for the other`(moves: Bool)
        async throws
    {
        try await withShelves { store, context in
            let (room, other) = (Shelf("room"), Shelf("other", row: 1))
            let first = Booking("first", room: room, guest: other)
            let second = Booking("second", room: other, guest: other)
            for model in [room, other] { context.insert(model) }
            for model in [first, second] { context.insert(model) }
            try await context.save()
            if moves {
                let others = ModelContext(store.container)
                let theirs = try await others.fetch(FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.note)]))
                theirs[0].room = Shelf("elsewhere", row: 3)
                try await others.save()
            }
            first.room = nil
            first.guest = Shelf("guest", row: 2)
            context.delete(room)
            // The new one takes the values of the second, so deletions come first.
            context.delete(second)
            context.insert(Booking("third", room: other, guest: other))
            if moves {
                await expectError(.conflict) { try await context.save() }
                context.conflictPolicy = .overwrite
            }
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.note)]))
            #expect(read.map(\.note) == ["first", "third"])
            #expect(read.map { $0.room?.name } == [nil, "other"])
            #expect(read.map { $0.guest?.name } == ["guest", "other"])
        }
    }

    @Test func `an update that fails names the columns that it writes, and those that it empties`() async throws {
        try await withShelves { store, context in
            let (slot, shelf) = (Slot("x"), Shelf("A"))
            context.insert(slot)
            context.insert(shelf)
            try await context.save()
            try await store.database.execute("ALTER TABLE slot ADD CHECK (note <> 'refused')")
            slot.note = "refused"
            slot.shelf = shelf
            context.delete(shelf)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.sqlState == "23514")
            #expect(error?.underlying?.statementName == "save: update slot (note, shelf), emptied: shelf")
        }
    }

    @Test func `a graph is saved twice and stored once, also where a unique value is a relationship`() async throws {
        try await withShelves { store, context in
            context.insert(Seat(1, table: Shelf("A")))
            try await context.save()
            let again = ModelContext(store.container)
            let seat = Seat(1, table: Shelf("A"))
            seat.note = "again"
            again.insert(seat)
            // As it will be saved, before it is.
            #expect(try await again.fetch(FetchDescriptor<Seat>()).map(\.note) == ["again"])
            #expect(try await again.fetchCount(FetchDescriptor<Seat>()) == 1)
            store.recorder.reset()
            try await again.save()
            // One for the shelf's row, one for the seat's that refers to it, one to write.
            #expect(store.recorder.roundTrips == 3)
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Shelf>()).count == 1)
            let seats = try await reader.fetch(FetchDescriptor<Seat>())
            #expect(seats.map(\.note) == ["again"])
            #expect(seats.first?.table?.name == "A")
        }
    }

    @Test func `new objects that are equal make those equal that refer to them`() async throws {
        try await withShelves { store, context in
            let (first, second) = (Seat(1, table: Shelf("A")), Seat(1, table: Shelf("A")))
            (first.note, second.note) = ("first", "second")
            context.insert(first)
            context.insert(second)
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Shelf>()).count == 1)
            #expect(try await reader.fetch(FetchDescriptor<Seat>()).map(\.note) == ["second"])
        }
    }

    @Test func `who leaves a deleted owner may take what another deleted one has`() async throws {
        try await withShelves { store, context in
            let (old, other) = (Shelf("A"), Shelf("B", row: 1))
            let (seat, doomed) = (Seat(1, table: old), Seat(1, table: other))
            for model in [old, other] { context.insert(model) }
            for model in [seat, doomed] { context.insert(model) }
            let (room, guest) = (
                Booking("first", room: old, guest: other), Booking("second", room: other, guest: other)
            )
            for model in [room, guest] { context.insert(model) }
            try await context.save()
            let token = try #require(context.historyToken)
            context.delete(old)
            context.delete(doomed)
            context.delete(guest)
            seat.table = other
            seat.note = "moved"
            room.room = other
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            let reader = ModelContext(store.container)
            let seats = try await reader.fetch(FetchDescriptor<Seat>())
            #expect(seats.map { $0.table?.name } == ["B"])
            #expect(seats.map(\.note) == ["moved"])
            let bookings = try await reader.fetch(FetchDescriptor<Booking>())
            #expect(bookings.map(\.note) == ["first"])
            #expect(bookings.map { $0.room?.name } == ["B"])
            // One change of each object.
            let changes = try await reader.fetchHistory(after: token, limit: 100).transactions.flatMap(\.changes)
            #expect(changes.count == 5)
        }
    }

    /// The deletion would empty what others have written, and nobody would see that it was there.
    @Test(arguments: [ConflictPolicy.throw, .overwrite])
    func `a reference in a unique set that others let lead to what is deleted is compared before it is emptied`(
        policy: ConflictPolicy
    ) async throws {
        try await withShelves { store, context in
            let (shelf, other) = (Shelf("A"), Shelf("B", row: 1))
            let seat = Seat(1, table: other)
            seat.table = nil
            for model in [shelf, other] { context.insert(model) }
            context.insert(seat)
            try await context.save()
            let others = ModelContext(store.container)
            let theirs = try #require(try await others.fetch(FetchDescriptor<Seat>()).first)
            theirs.table = try await others.fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.name == "A" }))
                .first
            try await others.save()
            seat.table = other
            context.delete(shelf)
            // Deletions come first.
            context.insert(Shelf("A"))
            context.conflictPolicy = policy
            if policy == .throw {
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.code == .conflict)
                #expect(error?.conflicts.map(\.propertyName) == ["table"])
                context.conflictPolicy = .overwrite
            }
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Seat>())
            #expect(read.map { $0.table?.name } == ["B"])
        }
    }

    @Test func `what a rule takes along is no row that a new object takes over`() async throws {
        try await withModelStore(Rack.self, Tray.self, Site.self) { store in
            let context = ModelContext(store.container)
            let rack = Rack("rack")
            context.insert(rack)
            for code in ["a", "b"] { context.insert(Tray(code, rack: rack)) }
            context.insert(Tray("c", rack: Rack("other")))
            try await context.save()
            // Nothing of the rack's is in memory.
            let fresh = ModelContext(store.container)
            fresh.uniquePolicy = .upsert
            let read = try #require(
                try await fresh.fetch(FetchDescriptor<Rack>(predicate: #Predicate { $0.name == "rack" })).first)
            let loose = try #require(
                try await fresh.fetch(FetchDescriptor<Tray>(predicate: #Predicate { $0.code == "c" })).first)
            fresh.delete(read)
            fresh.delete(loose)
            let new = Rack("rack")
            fresh.insert(new)
            for code in ["a", "c"] { fresh.insert(Tray(code, rack: new)) }
            try await fresh.save()
            let reader = ModelContext(store.container)
            let trays = try await reader.fetch(FetchDescriptor<Tray>(sortBy: [SortDescriptor(\.code)]))
            #expect(trays.map(\.code) == ["a", "c"])
            #expect(trays.map { $0.rack?.persistentModelID } == [new.persistentModelID, new.persistentModelID])
            #expect(try await reader.fetchCount(FetchDescriptor<Rack>()) == 2)
        }
    }

    @Test func `a new object that refers to what is deleted has none of its values`() async throws {
        try await withShelves { store, context in
            let (room, guest) = (Shelf("A"), Shelf("B", row: 1))
            let old = Booking("old", room: room, guest: guest)
            for model in [room, guest] { context.insert(model) }
            context.insert(old)
            try await context.save()
            context.uniquePolicy = .upsert
            let new = Booking("new", room: room, guest: guest)
            context.insert(new)
            context.delete(room)
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.note)]))
            #expect(read.map(\.note) == ["new", "old"])
            #expect(read.map { $0.room == nil } == [true, true])
        }
    }

    @Test func `a class beside the one with unique values is none of theirs`() async throws {
        try await withModelStore(Kinds.Thing.self, Kinds.Book.self, Kinds.Plant.self) { store in
            let context = ModelContext(store.container)
            let plant = Kinds.Plant("fern", height: 3)
            context.insert(plant)
            try await context.save()
            context.conflictPolicy = .keepStore
            plant.height = 4
            context.insert(Kinds.Book("novel", code: "x"))
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Kinds.Plant>()).map(\.height) == [4])
            #expect(try await reader.fetch(FetchDescriptor<Kinds.Book>()).map(\.code) == ["x"])
        }
    }

    /// Nothing of the tree is in memory but what moves away from it.
    @Test func `who leaves what rules may take along for a new object stays`() async throws {
        try await withModelStore(Rack.self, Tray.self, Site.self) { store in
            let context = ModelContext(store.container)
            let site = Site("site")
            let rack = Rack("rack")
            rack.site = site
            context.insert(site)
            context.insert(rack)
            for code in ["a", "b"] { context.insert(Tray(code, rack: rack)) }
            try await context.save()
            let fresh = ModelContext(store.container)
            let sites = try await fresh.fetch(FetchDescriptor<Site>())
            let trays = try await fresh.fetch(FetchDescriptor<Tray>(sortBy: [SortDescriptor(\.code)]))
            fresh.delete(sites[0])
            let new = Rack("new")
            fresh.insert(new)
            trays[0].rack = new
            fresh.insert(Tray("b", rack: new))
            try await fresh.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Tray>(sortBy: [SortDescriptor(\.code)]))
            #expect(read.map(\.code) == ["a", "b"])
            #expect(read.map { $0.rack?.name } == ["new", "new"])
        }
    }

    @Test func `who has left what is deleted is taken over as before`() async throws {
        try await withModelStore(Rack.self, Tray.self, Site.self) { store in
            let context = ModelContext(store.container)
            let (rack, other) = (Rack("rack"), Rack("other"))
            for model in [rack, other] { context.insert(model) }
            for code in ["a", "b"] { context.insert(Tray(code, rack: rack)) }
            context.insert(Tray("c", rack: other))
            try await context.save()
            let fresh = ModelContext(store.container)
            fresh.uniquePolicy = .upsert
            let racks = try await fresh.fetch(FetchDescriptor<Rack>(sortBy: [SortDescriptor(\.name)]))
            let trays = try await fresh.fetch(FetchDescriptor<Tray>(sortBy: [SortDescriptor(\.code)]))
            trays[0].rack = racks[0]
            fresh.delete(racks[1])
            fresh.delete(trays[2])
            let new = Tray("a", rack: racks[0])
            new.note = "new"
            fresh.insert(new)
            fresh.insert(Tray("c", rack: racks[0]))
            try await fresh.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(FetchDescriptor<Tray>(sortBy: [SortDescriptor(\.code)]))
            #expect(read.map(\.code) == ["a", "c"])
            #expect(read.map(\.note) == ["new", ""])
            #expect(read.map { $0.rack?.name } == ["other", "other"])
        }
    }

    /// A crew and its permits, which both crews share. Nothing of them is in memory afterwards.
    private func withCrews(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Crew.self, Permit.self) { store in
            let context = ModelContext(store.container)
            let (red, blue) = (Crew("red"), Crew("blue"))
            for crew in [red, blue] { context.insert(crew) }
            for (code, crews) in [("a", [red, blue]), ("b", [red, blue]), ("c", [blue])] {
                let permit = Permit(code)
                permit.crews = crews
                context.insert(permit)
            }
            try await context.save()
            let fresh = ModelContext(store.container)
            fresh.uniquePolicy = .upsert
            try await body(store, fresh)
        }
    }

    private func permits(_ context: ModelContext) async throws -> [Permit] {
        try await context.fetch(FetchDescriptor<Permit>(sortBy: [SortDescriptor(\.code)]))
    }

    @Test func `what a rule takes along by a table of links is no row that a new object takes over`() async throws {
        try await withCrews { store, context in
            let before = try await permits(ModelContext(store.container)).map(\.persistentModelID)
            let red = try #require(
                try await context.fetch(FetchDescriptor<Crew>(predicate: #Predicate { $0.name == "red" })).first)
            context.delete(red)
            let (a, c) = (Permit("a"), Permit("c"))
            for permit in [a, c] {
                permit.note = "new"
                context.insert(permit)
            }
            try await context.save()
            let reader = ModelContext(store.container)
            let after = try await permits(reader)
            #expect(after.map(\.code) == ["a", "c"])
            #expect(after.map(\.note) == ["new", "new"])
            // The row of the first went with its crew, and that of the other was taken over.
            #expect(after.map(\.persistentModelID) == [a.persistentModelID, c.persistentModelID])
            #expect(after[0].persistentModelID != before[0])
            #expect(after[1].persistentModelID == before[2])
            #expect(after.map { $0.crews.map(\.name) } == [[], ["blue"]])
        }
    }

    @Test func `who has left what is deleted by a table of links is taken over as before`() async throws {
        try await withCrews { store, context in
            let before = try await permits(ModelContext(store.container)).map(\.persistentModelID)
            let red = try #require(
                try await context.fetch(FetchDescriptor<Crew>(predicate: #Predicate { $0.name == "red" })).first)
            let left = try #require(
                try await context.fetch(FetchDescriptor<Permit>(predicate: #Predicate { $0.code == "b" })).first)
            left.crews.removeAll { $0.name == "red" }
            context.delete(red)
            for code in ["a", "b"] {
                let permit = Permit(code)
                permit.note = "new"
                context.insert(permit)
            }
            try await context.save()
            let reader = ModelContext(store.container)
            let after = try await permits(reader)
            #expect(after.map(\.code) == ["a", "b", "c"])
            #expect(after.map(\.note) == ["new", "new", ""])
            #expect(after[0].persistentModelID != before[0])
            #expect(after[1].persistentModelID == before[1])
            #expect(after.map { $0.crews.map(\.name) } == [[], ["blue"], ["blue"]])
        }
    }
}
