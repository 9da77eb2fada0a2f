import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Keys that classes declare: UUIDs and numbers, beside keys that Strata gives.
@Suite struct KeyTests {
    private typealias Person = Keyed.Person
    private typealias Employee = Keyed.Employee
    private typealias Manager = Keyed.Manager
    private typealias Letter = Keyed.Letter
    private typealias Badge = Keyed.Badge
    private typealias Club = Keyed.Club
    private typealias Note = Keyed.Note

    private func withPeople(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Keyed.schema) { store in
            let context = ModelContext(store.container)
            let (root, ann, ben) = (Manager("Root"), Employee("Ann"), Person("Ben"))
            root.level = 7
            ann.salary = 40
            ann.badge = Badge(17)
            (ann.boss, ben.boss) = (root, root)
            ann.letters = [Letter("a"), Letter("b")]
            ann.letters[0].stamps = [Keyed.Stamp(1), Keyed.Stamp(2)]
            ben.letters = [Letter("c")]
            ann.notes = [Note("z"), Note("y"), Note("x")]
            let (chess, choir) = (Club("chess"), Club("choir"))
            chess.members = [ann, ben]
            choir.members = [ann]
            for object in [root, ann, ben] as [Person] { context.insert(object) }
            try await context.save()
            try await body(store, ModelContext(store.container))
        }
    }

    private func person(_ name: String, _ context: ModelContext) async throws -> Person {
        try #require(
            try await context.fetch(FetchDescriptor<Person>(predicate: #Predicate { $0.name == name })).first)
    }

    // MARK: Tables

    @Test func `keys, foreign keys and pairs have the type of the key`() async throws {
        try await withPeople { store, _ in
            let columns = try await store.database.texts(
                """
                SELECT table_name || ': ' || string_agg(column_name || ' ' || udt_name, ', ' ORDER BY ordinal_position)
                FROM information_schema.columns WHERE table_schema = 'public' AND (udt_name IN ('uuid', 'int8'))
                GROUP BY table_name ORDER BY table_name
                """)
            #expect(
                columns == [
                    "badge: badge_no int8, owner uuid", "club: id uuid",
                    "club_members: club_id uuid, person_id uuid", "employee: id uuid, salary int8",
                    "letter: pk int8, sender uuid", "manager: id uuid, level int8",
                    "note: id uuid, person_notes uuid, notes_position int8", "person: id uuid, boss uuid",
                    "stamp: id uuid, value int8, letter int8",
                ])
            let keys = try await store.database.texts(
                """
                SELECT c.relname || ' ' || a.attname || ' ' || a.attidentity::text FROM pg_index AS i
                JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
                WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND i.indnkeyatts = 1 ORDER BY 1
                """)
            #expect(
                keys == [
                    "badge badge_no ", "club id ", "employee id ", "letter pk d", "manager id ", "note id ",
                    "person id ",
                    "stamp id ",
                ])
        }
    }

    @Test func `what no key can be is refused, with what to do`() async throws {
        func findings(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        let cases: [(String, String)] = [
            (await findings(Unkeyed.Rate.self), "Double cannot be the key of an object"),
            (await findings(Unkeyed.Optional.self), "it is marked .primaryKey and optional"),
            (await findings(Unkeyed.Composite.self), "Composite.second: it is marked .primaryKey, and so is first"),
            (await findings(Unkeyed.Base.self, Unkeyed.Sub.self), "declare the key in Base"),
            (await findings(Unkeyed.Named.self), "@Model(keyColumn:) names a column of it too"),
            (await findings(Unkeyed.Named.self), "it is the key, and cannot be .unique"),
            (await findings(Unkeyed.Indexed.self), "part of an #Unique or #Index"),
        ]
        for (text, part) in cases { #expect(text.contains(part), "\(text)") }
    }

    // MARK: Identifiers

    @Test func `a key is final at insert, and found again without a round trip`() async throws {
        try await withPeople { store, context in
            let id = UUID.v7()
            let new = Person("New")
            new.id = id
            #expect(new.persistentModelID.isTemporary)
            context.insert(new)
            let identifier = new.persistentModelID
            #expect(
                !identifier.isTemporary && identifier.description.hasSuffix("/Person/\(id.uuidString.lowercased())"))
            #expect(PersistentIdentifier(identifier.description) == identifier)
            #expect(
                try PersistentIdentifier(urlPathComponent: identifier.urlPathComponent, of: Person.self) == identifier)
            #expect(
                try PersistentIdentifier.identifier(
                    for: identifier.storeIdentifier ?? "", entityName: "Person", primaryKey: id) == identifier)
            let before = store.recorder.statements.count
            #expect(try await context.existingModel(Person.self, id: id) === new)
            #expect(try await context.model(Person.self, id: id) === new)
            #expect(context.registeredModel(for: identifier) as Person? === new)
            #expect(store.recorder.statements.count == before)
            try await context.save()
            #expect(new.persistentModelID == identifier)

            let other = ModelContext(store.container)
            let same = try #require(try await other.existingModel(Person.self, id: id))
            #expect(same.name == "New" && same.id == id && same.persistentModelID == identifier)
            let asked = store.recorder.statements.last ?? ""
            #expect(asked.contains(#"WHERE t0."id" = $1::uuid"#), "\(asked)")
            #expect(try await other.existingModel(Person.self, id: UUID()) == nil)
            #expect(try await other.existingModel(Manager.self, id: id) == nil)
            let badge = try await other.model(Badge.self, id: 17)
            #expect(badge.owner?.name == "Ann" && badge.number == 17)
            let wrong = await #expect(throws: SwiftDataError.self) {
                _ = try await other.existingModel(Person.self, id: 17)
            }
            #expect(wrong?.code == .invalidIdentifier && wrong?.message.contains("keys of Person are uuid") == true)
            let missing = await #expect(throws: SwiftDataError.self) { _ = try await other.model(Badge.self, id: 4) }
            #expect(missing?.code == .modelNotFound)
            let existing: Person? = try await other.existingModel(for: identifier)
            #expect(existing === same)
        }
    }

    @Test func `UUIDs of version 7 ascend and say so`() {
        let made = (0..<2_000).map { _ in UUID.v7() }
        let texts = made.map(\.uuidString)
        #expect(texts == texts.sorted() && Set(texts.map { $0.suffix(12) }).count == 2_000)
        #expect(texts.allSatisfy { $0.dropFirst(14).first == "7" && "89AB".contains($0.dropFirst(19).first ?? "-") })
        let time = UInt64(made[0].uuidString.filter { $0 != "-" }.prefix(12), radix: 16) ?? 0
        #expect(abs(Date().timeIntervalSince1970 - Double(time) / 1_000) < 60)
    }

    @Test func `a key that is none, is taken or was changed is refused`() async throws {
        try await withPeople { store, context in
            let none = Badge(0)
            context.insert(none)
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                refused?.message.contains("Badge.number is the key of the object") == true,
                "\(String(describing: refused))")

            let double = Badge(17)
            context.insert(double)
            let taken = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                taken?.code == .uniqueConstraint && taken?.message.contains("Badge.number") == true,
                "\(String(describing: taken))")
            context.rollback()

            let fresh = ModelContext(store.container)
            let ann = try await person("Ann", fresh)
            let old = ann.id
            ann.id = UUID()
            let changed = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(
                changed?.code == .modelValidationFailure && changed?.message.contains("Person.id is the key") == true)
            ann.name = "Anna"
            let also = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(also?.message.contains("Person.id is the key") == true)
            ann.id = old
            try await fresh.save()
            #expect(try await person("Anna", ModelContext(store.container)).id == old)

            let new = Person("Cid")
            fresh.insert(new)
            let given = new.id
            new.id = UUID()
            let moved = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(moved?.message.contains("Person.id is the key") == true)
            new.id = given
            try await fresh.save()
            let twin = Person("Twin")
            twin.id = given
            fresh.insert(twin)
            let same = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(same?.code == .foreignObject, "\(String(describing: same))")
        }
    }

    @Test func `objects of two classes may have the same number, in one save, too`() async throws {
        try await withModelStore(of: SameNumbers.schema) { store in
            let context = ModelContext(store.container)
            let seats = (1...3).map { SameNumbers.Seat($0, "seat \($0)") }
            let tickets = (1...3).map { SameNumbers.Ticket($0, "ticket \($0)") }
            for (ticket, seat) in zip(tickets, seats.reversed()) { ticket.seat = seat }
            for ticket in tickets { context.insert(ticket) }
            try await context.save()
            func rows() async throws -> [String] {
                try await store.database.texts(
                    """
                    SELECT t.number || ' ' || t.code || ', ' || s.number || ' ' || s.code FROM ticket AS t
                    JOIN seat AS s ON s.number = t.seat ORDER BY t.number
                    """)
            }
            #expect(
                try await rows() == [
                    "1 ticket 1, 3 seat 3", "2 ticket 2, 2 seat 2", "3 ticket 3, 1 seat 1",
                ])
            // One is changed, the other deleted, unique values are exchanged, and new ones take a number of the other class.
            tickets[0].code = "ticket 2"
            tickets[1].code = "ticket 1"
            seats[0].code = "seat of \(tickets[2].code)"
            tickets[2].seat = seats[1]
            context.delete(seats[2])
            tickets[0].seat = SameNumbers.Seat(4, "seat 3")
            context.insert(SameNumbers.Ticket(4, "ticket 4"))
            try await context.save()
            #expect(
                try await rows() == ["1 ticket 2, 4 seat 3", "2 ticket 1, 2 seat 2", "3 ticket 3, 2 seat 2"])
            let reader = ModelContext(store.container)
            let seat = try await reader.model(SameNumbers.Seat.self, id: 1)
            let ticket = try await reader.model(SameNumbers.Ticket.self, id: 1)
            #expect(seat.code == "seat of ticket 3" && ticket.code == "ticket 2")
            #expect(seat.persistentModelID != ticket.persistentModelID)
            #expect(try await store.database.texts("SELECT count(*)::text FROM ticket") == ["4"])
        }
    }

    @Test func `an object takes the key of a deleted one once the deletion is saved`() async throws {
        try await withPeople { store, context in
            let badge = try await context.model(Badge.self, id: 17)
            context.delete(badge)
            context.insert(Badge(17))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .foreignObject && error?.message.contains("save before another one") == true)
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM badge") == ["0"])
            let new = Badge(17)
            new.colour = "blue"
            context.insert(new)
            try await context.save()
            #expect(try await store.database.texts("SELECT badge_no || colour FROM badge") == ["17blue"])
        }
    }

    // MARK: Objects

    @Test func `relationships lead from kind to kind, in memory, by predicates and prefetched`() async throws {
        try await withPeople { store, context in
            let ann = try #require(try await person("Ann", context) as? Employee)
            #expect(ann.boss?.name == "Root" && (ann.boss as? Manager)?.level == 7)
            #expect(Set(ann.letters.map(\.text)) == ["a", "b"])
            #expect(ann.notes.map(\.text) == ["z", "y", "x"])
            #expect(Set(ann.clubs.map(\.title)) == ["chess", "choir"])
            #expect(ann.badge?.number == 17 && ann.badge?.owner === ann)
            #expect(Set(ann.boss?.staff.map(\.name) ?? []) == ["Ann", "Ben"])
            #expect(Set(ann.letters.first { $0.text == "a" }?.stamps.map(\.value) ?? []) == [1, 2])

            var descriptor = FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)])
            descriptor.relationshipKeyPathsForPrefetching = [\.letters, \.clubs, \.boss, \.notes]
            let reader = ModelContext(store.container)
            let people = try await reader.fetch(descriptor)
            let before = store.recorder.statements.count
            #expect(people.map { $0.letters.count + $0.clubs.count + $0.notes.count } == [7, 2, 0])
            #expect(people.map { $0.boss?.name } == ["Root", "Root", nil])
            #expect(store.recorder.statements.count == before)

            let (id, bossID) = (ann.id, try #require(ann.boss?.id))
            let identifier = ann.persistentModelID
            func names(_ predicate: Predicate<Person>) async throws -> [String] {
                let found = try await reader.fetch(
                    FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
                return found.map(\.name)
            }
            #expect(try await names(#Predicate { $0.id == id }) == ["Ann"])
            #expect(try await names(#Predicate { $0.id != id }) == ["Ben", "Root"])
            #expect(try await names(#Predicate { $0.persistentModelID == identifier }) == ["Ann"])
            let all = [id, bossID]
            #expect(try await names(#Predicate { all.contains($0.id) }) == ["Ann", "Root"])
            let identifiers = Set(people.map(\.persistentModelID)).subtracting([identifier])
            #expect(try await names(#Predicate { identifiers.contains($0.persistentModelID) }) == ["Ben", "Root"])
            #expect(try await names(#Predicate { $0.boss?.id == bossID }) == ["Ann", "Ben"])
            #expect(try await names(#Predicate { $0 is Employee }) == ["Ann", "Root"])
            #expect(try await names(#Predicate { $0.clubs.contains { $0.title == "choir" } }) == ["Ann"])
            #expect(try await names(#Predicate { $0.letters.count > 1 && $0.notes.count == 3 }) == ["Ann"])
            let letters = try await reader.fetch(FetchDescriptor<Letter>(predicate: #Predicate { $0.sender?.id == id }))
            #expect(Set(letters.map(\.text)) == ["a", "b"])
            let managers = try await reader.fetch(FetchDescriptor<Manager>(predicate: #Predicate { $0.id == bossID }))
            #expect(managers.map(\.level) == [7])
            #expect(
                Set(try await reader.fetchIdentifiers(FetchDescriptor<Person>()))
                    == Set(people.map(\.persistentModelID)))
            let pairs = try await reader.fetch(
                FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]), selecting: \.id, \.persistentModelID)
            #expect(pairs.map(\.0) == people.map(\.id) && pairs.map(\.1) == people.map(\.persistentModelID))
        }
    }

    @Test func `changes, moves and deletions follow their rules`() async throws {
        try await withPeople { store, context in
            let (ann, ben) = (try await person("Ann", context), try await person("Ben", context))
            ann.notes = [ann.notes[2], ann.notes[0], ann.notes[1]]
            ben.letters.append(contentsOf: ann.letters)
            ben.clubs = []
            ann.boss = ben
            let found = try await context.fetch(
                FetchDescriptor<Person>(predicate: #Predicate { $0.boss?.name == "Ben" }))
            #expect(found.map(\.name) == ["Ann"])
            let club = Club("new")
            club.members = [ben]
            try await context.save()
            let reader = ModelContext(store.container)
            let again = try await person("Ann", reader)
            #expect(again.notes.map(\.text) == ["x", "z", "y"] && again.letters.isEmpty && again.boss?.name == "Ben")
            #expect(again.boss?.letters.count == 3 && again.boss?.clubs.map(\.title) == ["new"])

            // A rule that leads from UUIDs to numbers and on to UUIDs.
            reader.delete(try await person("Ben", reader))
            #expect(try await reader.fetchCount(FetchDescriptor<Letter>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Keyed.Stamp>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Person>(predicate: #Predicate { $0.boss == nil })) == 2)
            try await reader.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(',', (SELECT count(*) FROM person), (SELECT count(*) FROM letter), (SELECT count(*) FROM stamp), (SELECT count(*) FROM person WHERE boss IS NULL))"
                ) == ["2,0,0,2"])
            reader.delete(try await person("Ann", reader))
            try await reader.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(',', (SELECT count(*) FROM person), (SELECT count(*) FROM employee), (SELECT count(*) FROM badge), (SELECT count(*) FROM note), (SELECT count(*) FROM club_members))"
                ) == ["1,1,0,0,0"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM club") == ["3"])
        }
    }

    @Test func `unique values meet the row, whose key the object takes`() async throws {
        try await withPeople { store, context in
            let ann = try await person("Ann", context)
            let double = Employee("Ann")
            double.salary = 90
            double.clubs = try await context.fetch(FetchDescriptor<Club>(predicate: #Predicate { $0.title == "chess" }))
            double.letters = [Letter("d")]
            let own = double.id
            context.insert(double)
            #expect(double.id == own && double.persistentModelID != ann.persistentModelID)
            try await context.save()
            #expect(double.id == ann.id && double.persistentModelID == ann.persistentModelID)
            let reader = ModelContext(store.container)
            let same = try #require(try await person("Ann", reader) as? Employee)
            #expect(same.salary == 90 && same.id == ann.id && same.letters.count == 3)

            // Rolled back, it has the key that it had.
            let third = Employee("Ann")
            let thirdID = third.id
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await reader.transaction {
                    reader.insert(third)
                    try await reader.save()
                    #expect(third.id == same.id)
                    throw Stop()
                }
            }
            #expect(third.id == thirdID)
            context.uniquePolicy = .ignore
            let fourth = Employee("Ann")
            context.insert(fourth)
            try await context.save()
            #expect(fourth.id == ann.id && fourth.salary == 90)
        }
    }

    @Test func `updates, deletions and insertions of many rows`() async throws {
        try await withPeople { store, context in
            let ann = try await person("Ann", context)
            let (id, ids) = (ann.id, [ann.id])
            try context.update(model: Employee.self, where: #Predicate { ids.contains($0.id) }, .set(\.salary, to: 5))
            #expect(
                try await context.fetchCount(FetchDescriptor<Employee>(predicate: #Predicate { $0.salary == 5 })) == 1)
            try context.update(
                model: Letter.self, where: #Predicate { $0.text == "c" }, .set(\.sender, to: ann.persistentModelID))
            try context.update(model: Letter.self, where: #Predicate { $0.text == "b" }, .set(\.sender, to: nil))
            let refused = #expect(throws: SwiftDataError.self) {
                try context.update(model: Person.self, .set(\.id, to: id))
            }
            #expect(refused?.message.contains("Person.id is the key of the objects") == true)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT concat(text, sender = '\(id)') FROM letter ORDER BY text") == [
                    "at", "b", "ct",
                ])

            let (one, two) = (UUID.v7(), UUID())
            let result = try await context.insert(
                into: Person.self, \.id, \.mail, \.name, rows: [(one, "1@x", "1"), (two, "2@x", "2")],
                reportsIdentifiers: true)
            #expect(
                result.identifiers?.map { "\($0)".suffix(36) }
                    == [one, two].map { $0.uuidString.lowercased().suffix(36) })
            // Without one, the default makes the key; a row that is there keeps its own.
            try await context.insert(
                into: Employee.self, \.mail, \.name, \.salary, rows: [("3@x", "3", 1), ("ann@x", "A", 2)])
            #expect(
                try await store.database.texts(
                    "SELECT name FROM person WHERE id IN ('\(one)', '\(two)', '\(id)') ORDER BY 1")
                    == ["1", "2", "A"])
            #expect(try await context.fetchCount(FetchDescriptor<Employee>()) == 3)
            let key = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Badge.self, \.number, rows: [20, 0])
            }
            #expect(key?.message.contains("Badge.number is the key") == true, "\(String(describing: key))")
            let root = try await person("Root", context)
            try await context.insert(
                into: Badge.self, \.number, \.owner?.persistentModelID, rows: [(20, root.persistentModelID)])
            #expect(
                try await store.database.texts("SELECT badge_no::text FROM badge WHERE owner = '\(root.id)'") == ["20"])
            try context.delete(model: Person.self, where: #Predicate { $0.name == "A" })
            #expect(try await context.fetchCount(FetchDescriptor<Letter>()) == 1)
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(',', (SELECT count(*) FROM person), (SELECT count(*) FROM letter), (SELECT count(*) FROM badge), (SELECT count(*) FROM note))"
                ) == ["5,1,1,0"])
        }
    }

    @Test func `pages, batches, enumeration, locks and SQL know them`() async throws {
        try await withPeople { store, context in
            let names = (0..<20).map { "P\($0)" }
            for name in names { context.insert(Person(name)) }
            try await context.save()
            var seen: [String] = []
            var cursor: PageCursor?
            repeat {
                let page = try await context.fetchPage(FetchDescriptor<Person>(), after: cursor, size: 6)
                seen += page.objects.map(\.name)
                cursor = try page.next.map { try PageCursor($0.text) }
            } while cursor != nil
            #expect(seen.count == 23 && Set(seen).count == 23)
            let sorted = try await context.fetchPage(
                FetchDescriptor<Person>(sortBy: [SortDescriptor(\.mail)]), after: nil, size: 5)
            let next = try await context.fetchPage(
                FetchDescriptor<Person>(sortBy: [SortDescriptor(\.mail)]), after: sorted.next, size: 5)
            let back = try await context.fetchPage(
                FetchDescriptor<Person>(sortBy: [SortDescriptor(\.mail)]), before: next.previous, size: 5)
            #expect(back.objects.map(\.name) == sorted.objects.map(\.name))
            let ordered = try await context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.id)]))
            #expect(ordered.map(\.id.uuidString) == ordered.map(\.id.uuidString).sorted())

            let reader = ModelContext(store.container)
            var count = 0
            try await reader.enumerate(FetchDescriptor<Person>(), batchSize: 4) { _ in count += 1 }
            #expect(count == 23)
            let batches = try await reader.fetch(
                FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]), batchSize: 4)
            #expect(batches.count == 23 && batches.map(\.name) == batches.map(\.name).sorted())
            try await reader.transaction {
                var descriptor = FetchDescriptor<Person>(predicate: #Predicate { $0.name == "P3" || $0.name == "Ann" })
                descriptor.lock = .update
                let locked = try await reader.fetch(descriptor)
                #expect(locked.count == 2)
            }
            let ids = try await reader.fetch(
                UUID.self, sql: "SELECT \(\Person.id) FROM \(Person.self) WHERE \(\Person.name) = \("P3")")
            #expect(ids.count == 1)
            let objects = try await reader.fetch(
                Person.self,
                sql: "SELECT \(\Person.persistentModelID) FROM \(Person.self) WHERE \(\Person.id) = \(ids[0])")
            #expect(objects.map(\.name) == ["P3"])
            let same = try await reader.fetch(
                Int.self,
                sql:
                    "SELECT count(*) FROM \(Person.self) WHERE \(\Person.persistentModelID) = \(objects[0].persistentModelID)"
            )
            #expect(same == [1])
            for (list, count) in [([objects[0].persistentModelID], 1), ([], 0)] {
                let found = try await reader.fetch(
                    Int.self,
                    sql: "SELECT count(*) FROM \(Person.self) WHERE \(\Person.persistentModelID) = ANY(\(list))")
                #expect(found == [count])
            }
            let partial = ModelContext(store.container)
            var few = FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)])
            few.propertiesToFetch = [\.name]
            let parts = try await partial.fetch(few)
            let before = store.recorder.statements.count
            #expect(Set(parts.map(\.id)).count == 23 && store.recorder.statements.count == before)
            #expect(parts[0].mail == "ann@x")
        }
    }

    @Test func `undo, transactions, another class and a refresh`() async throws {
        try await withPeople { store, context in
            let undo = ModelUndoManager()
            context.undoManager = undo
            let ann = try await person("Ann", context)
            let id = ann.id
            context.delete(ann)
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM person WHERE id = '\(id)'") == ["0"])
            undo.undo()
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(',', (SELECT count(*) FROM letter WHERE sender = '\(id)'), (SELECT count(*) FROM note WHERE person_notes = '\(id)'), (SELECT count(*) FROM club_members WHERE person_id = '\(id)'))"
                ) == ["2,3,2"])
            let new = Person("New")
            context.insert(new)
            let newID = new.id
            try await context.save()
            undo.undo()
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM person WHERE id = '\(newID)'") == ["0"])
            undo.redo()
            try await context.save()
            #expect(try await store.database.texts("SELECT name FROM person WHERE id = '\(newID)'") == ["New"])
            context.undoManager = nil

            let ben = try await person("Ben", context)
            let benID = ben.id
            let employee = try await context.convert(ben, to: Employee.self) { $0.salary = 3 }
            #expect(
                employee.id == benID && employee.persistentModelID.description.hasSuffix(benID.uuidString.lowercased()))
            try await store.database.execute("UPDATE person SET name = 'Bob' WHERE id = '\(benID)'")
            try await context.refresh([employee])
            #expect(employee.name == "Bob" && employee.salary == 3)
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await context.transaction {
                    employee.name = "X"
                    context.delete(try await person("Root", context))
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(try await store.database.texts("SELECT count(*)::text FROM person") == ["4"])
        }
    }

    // MARK: History, snapshots, observers

    @Test func `the history names them, and other contexts follow`() async throws {
        try await withPeople { store, context in
            let follower = ModelContext(store.container)
            let known = try await follower.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
            let before = try #require(
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
            let ann = try #require(try await person("Ann", context) as? Employee)
            let (identifier, id) = (ann.persistentModelID, ann.id)
            ann.name = "Anna"
            ann.salary = 99
            ann.clubs = []
            try await context.save()
            try await store.database.execute(
                "UPDATE person SET mail = 'q@x' WHERE id = '\(id)'",
                "UPDATE badge SET colour = 'blue' WHERE badge_no = 17")
            let token = before.token
            let history = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            #expect(
                history.map { $0.changes.map(\.summary).sorted().joined(separator: "; ") } == [
                    "update Club: members; update Club: members; update Employee: clubs name salary",
                    "update Employee: mail", "update Badge: colour",
                ], "\(history.map(\.summary))")
            #expect(history[1].changes.map(\.changedPersistentIdentifier) == [identifier])
            _ = try await follower.mergeHistory(after: token)
            #expect(known.map(\.name) == ["Anna", "Ben", "Root"] && known[0].mail == "q@x")

            let about = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(
                    predicate: #Predicate { $0.changes.contains { $0.changedPersistentIdentifier == identifier } }))
            #expect(about.count == 3)
            let many = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(
                    predicate: #Predicate { $0.token > token && $0.changes.count == 3 }))
            #expect(many.count == 1)
            context.delete(ann)
            try await context.save()
            let last = try #require(try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
            let deletion = last.changes.first { $0.changedPersistentIdentifier == identifier }
            guard case .delete(let left as DefaultHistoryDelete<Keyed.Employee>)? = deletion else {
                Issue.record("no deletion: \(last.summary)")
                return
            }
            #expect(left.tombstone[\.name] as? String == "Anna" && left.tombstone.map(\.property).count == 1)
            // Letters have numbers for keys, and are recorded as ever.
            #expect(last.changes.filter { $0.summary == "delete Letter" }.count == 2)
            let none = try await store.database.texts(
                "SELECT count(*)::text FROM strata.history_change WHERE pk IS NULL AND NOT tomb ? 'key'")
            #expect(none == ["0"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `results that are observed follow`() async throws {
        try await withPeople { store, context in
            let descriptor = FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)])
            var results: [[String]] = []
            for try await people in store.container.results(of: descriptor) {
                results.append(people.map(\.name))
                if results.count == 1 {
                    context.insert(Person("Cid"))
                    let ann = try await person("Ann", context)
                    ann.name = "Zoe"
                    try await context.save()
                } else {
                    break
                }
            }
            #expect(results == [["Ann", "Ben", "Root"], ["Ben", "Cid", "Root", "Zoe"]])
        }
    }

    @Test func `snapshots, patches and CSV have the key as a property`() async throws {
        try await withPeople { store, context in
            let ann = try #require(try await person("Ann", context) as? Employee)
            let snapshot = try ann.snapshot()
            let data = try JSONEncoder().encode(snapshot)
            let json = String(decoding: data, as: UTF8.self)
            #expect(json.contains("\"id\":\"\(ann.id.uuidString)\""), "\(json)")
            #expect(json.contains(ann.id.uuidString.lowercased()))
            let copy = try JSONDecoder().decode(ModelSnapshot<Keyed.Employee>.self, from: data)
            #expect(copy.name == "Ann" && copy.id == ann.id)

            let file = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID()).csv")
            defer { try? FileManager.default.removeItem(at: file) }
            try await context.exportCSV(
                FetchDescriptor<Club>(sortBy: [SortDescriptor(\.title)]), selecting: \.id, \.title, to: file)
            let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
            #expect(lines.count == 3 && lines[0] == "id,title")
            try await store.database.execute("DELETE FROM club")
            try await context.importCSV(from: file, into: Club.self, \.id, \.title)
            #expect(try await store.database.texts("SELECT count(*)::text FROM club") == ["2"])
        }
    }

    // MARK: Tables that are there

    @Test func `tables with UUIDs that were made by hand are opened as they are`() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                """
                CREATE TABLE note (
                    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), text text COLLATE "C" NOT NULL)
                """,
                "INSERT INTO note (text) VALUES ('a')",
                "INSERT INTO note VALUES ('00000000-0000-0000-0000-000000000001', 'b')")
            let configuration = ModelConfiguration(url: try #require(database.foundationURL))
            let container = try await ModelContainer(
                for: Schema(Note.self), configurations: [configuration], logger: Logger(label: "test"))
            let context = ModelContext(container)
            let notes = try await context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.text)]))
            #expect(notes.map(\.text) == ["a", "b"] && notes[1].id.uuidString.hasSuffix("000000000001"))
            notes[1].text = "c"
            context.insert(Note("d"))
            try await context.save()
            #expect(try await database.texts("SELECT text FROM note ORDER BY 1") == ["a", "c", "d"])
            await container.close()
        }
    }

    @Test func `a key of another type than the table's is told`() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                "CREATE TABLE note (id bigint PRIMARY KEY, text text COLLATE \"C\" NOT NULL)",
                "INSERT INTO note VALUES (1, 'a')")
            let configuration = ModelConfiguration(url: try #require(database.foundationURL))
            let error = await #expect(throws: (any Error).self) {
                let container = try await ModelContainer(
                    for: Schema(Note.self), configurations: [configuration], logger: Logger(label: "test"))
                _ = try await ModelContext(container).fetch(FetchDescriptor<Note>())
            }
            #expect("\(String(describing: error))".contains("uuid"), "\(String(describing: error))")
        }
    }
}
