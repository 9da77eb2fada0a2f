import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Values that are unique among some objects.
enum Register {
    @Model class Account {
        #Unique<Account>([\.email]) { $0.deletedAt == nil }
        var email: String
        var name: String = ""
        @Attribute(.deletionDate) var deletedAt: Date?

        init(_ email: String, _ name: String = "") {
            self.email = email
            self.name = name
        }
    }

    @Model final class Employee: Account {
        var desk: String = ""
    }

    enum State: String, Codable { case draft, held, booked }

    @Model final class Booking {
        #Unique<Booking>([\.room, \.hour]) { $0.state == .held || $0.state == .booked }
        #Unique<Booking>([\.hour]) { $0.guest == nil && $0.state == .booked }
        @Attribute(.unique) var code: String
        var room: String
        var hour: Int
        var state: State
        var guest: Guest?

        init(_ code: String, _ room: String, _ hour: Int, _ state: State) {
            (self.code, self.room, self.hour, self.state) = (code, room, hour, state)
        }
    }

    /// As a booking, with conditions that name no relationship.
    @Model final class Slot {
        #Unique<Slot>([\.room, \.hour]) { $0.state == .held || $0.state == .booked }
        #Unique<Slot>([\.hour]) { $0.state == .booked }
        @Attribute(.unique) var code: String
        var room: String
        var hour: Int
        var state: State

        init(_ code: String, _ room: String, _ hour: Int, _ state: State) {
            (self.code, self.room, self.hour, self.state) = (code, room, hour, state)
        }
    }

    @Model final class Guest {
        @Relationship(inverse: \Booking.guest) var bookings: [Booking] = []
        init() {}
    }

    /// A date and who set it go together.
    @Model final class Badge {
        #Unique<Badge>([\.number]) { $0.returnedAt == nil }
        #Check<Badge>("returned") { ($0.returnedAt == nil) == ($0.returnedTo == nil) }
        var number: Int
        var returnedAt: Date?
        var returnedTo: String?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Job {
        #Unique<Job>([\.number]) { $0.closed! > $0.opened }
        var number: Int
        var closed: Int?
        var opened: Int
        init(_ number: Int, _ closed: Int?, _ opened: Int) {
            (self.number, self.closed, self.opened) = (number, closed, opened)
        }
    }

    @Model final class Twice {
        #Unique<Twice>([\.number])
        @Attribute(.unique) var number: Int
        init(_ number: Int) { self.number = number }
    }

    static let all: [any PersistentModel.Type] = [
        Account.self, Employee.self, Booking.self, Guest.self, Badge.self, Job.self, Twice.self,
        Slot.self,
    ]
}

private typealias Account = Register.Account
private typealias Employee = Register.Employee
private typealias Booking = Register.Booking
private typealias Guest = Register.Guest
private typealias Badge = Register.Badge
private typealias Job = Register.Job
private typealias Twice = Register.Twice

/// What is unique under a condition: whom a new object updates, who may take what, and what is refused.
@Suite struct ConditionalUniqueTests {
    private func withRegister(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Schema(Register.all)) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func accounts(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            "SELECT concat_ws(' ', email, name, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' END) FROM account ORDER BY 1"
        )
    }

    private func bookings(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT concat_ws(' ', code, room, hour, state) FROM booking ORDER BY 1")
    }

    // MARK: New objects

    @Test func `the e-mail of a deleted account is free again`() async throws {
        try await withRegister { store, context in
            context.insert(Account("a@x", "first"))
            try await context.save()
            let first = try #require(try await context.fetch(FetchDescriptor<Account>()).first)
            // In one save: the row leaves before the new one comes.
            context.delete(first)
            let second = Account("a@x", "second")
            context.insert(second)
            try await context.save()
            #expect(second.persistentModelID != first.persistentModelID)
            #expect(try await accounts(store) == ["a@x first deleted", "a@x second"])
            // A third takes over the row that is there, and leaves the deleted one alone.
            store.recorder.reset()
            let third = Account("a@x", "third")
            context.insert(third)
            try await context.save()
            #expect(third.persistentModelID == second.persistentModelID)
            #expect(try await accounts(store) == ["a@x first deleted", "a@x third"])
            #expect(store.recorder.roundTrips == 2)
            let find = try #require(store.recorder.statements.first { $0.contains("FOR NO KEY UPDATE") })
            #expect(
                find
                    == #"SELECT u.i, t."pk", t."class" FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS u(i, c0, c1) "#
                    + #"JOIN "public"."account" AS t ON t."email" = u.c0 AND (t."deleted_at" IS NULL) AND (u.c1 IS NULL) "#
                    + #"WHERE t."pk" <> ALL ($4::bigint[]) ORDER BY t."pk" FOR NO KEY UPDATE OF t"#)
        }
    }

    @Test func `new objects meet under the condition alone, and subclasses share the set`() async throws {
        try await withRegister { store, context in
            let gone = Account("a@x", "gone")
            gone.deletedAt = .now
            for account in [gone, Account("a@x", "one"), Account("a@x", "two"), Employee("b@x", "three")] {
                context.insert(account)
            }
            // Queries see what the save will do.
            let pending = try await context.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)]))
            #expect(pending.map(\.name) == ["three", "two"])
            try await context.save()
            #expect(try await accounts(store) == ["a@x gone deleted", "a@x two", "b@x three"])
            context.insert(Account("b@x"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.message
                    == "A new Account has the Account.email of a stored Employee. An object cannot change its class: delete the "
                    + "stored one first, or change it instead.")
            context.rollback()
            context.uniquePolicy = .fail
            context.insert(Account("a@x", "four"))
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.code == .uniqueConstraint)
            #expect(
                refused?.message
                    == "Another object has the same Account.email. Change the value, or fetch that object and change it."
            )
        }
    }

    @Test func `a restored object is refused where its value has been given away`() async throws {
        try await withRegister { store, context in
            let first = Account("a@x", "first")
            context.insert(first)
            try await context.save()
            context.delete(first)
            try await context.save()
            context.insert(Account("a@x", "second"))
            try await context.save()
            first.deletedAt = nil
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.hasPrefix("Another object has the same Account.email.") == true)
            // A new object has the value of an unsaved restoration.
            context.insert(Account("a@x", "third"))
            let collision = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                collision?.message.hasPrefix("A new Account has the Account.email of an object with unsaved changes.")
                    == true)
            context.rollback()
            #expect(try await accounts(store) == ["a@x first deleted", "a@x second"])
        }
    }

    @Test func `an update by predicate is held to it`() async throws {
        try await withRegister { store, context in
            let first = Account("a@x", "first")
            context.insert(first)
            try await context.save()
            context.delete(first)
            context.insert(Account("a@x", "second"))
            try await context.save()
            let error = await #expect(throws: SwiftDataError.self) {
                try context.update(
                    model: Account.self, where: #Predicate { $0.name == "first" }, includeDeleted: true,
                    .set(\.deletedAt, to: nil))
                try await context.save()
            }
            #expect(error?.code == .uniqueConstraint)
            context.rollback()
            #expect(try await accounts(store) == ["a@x first deleted", "a@x second"])
        }
    }

    // MARK: Values that pass between objects

    @Test(arguments: [false, true])
    func `one is deleted and the other restored, or takes its value, in one save`(isReversed: Bool) async throws {
        try await withRegister { store, context in
            let pair = [Account("a@x", "one"), Account("a@x", "two")]
            pair[isReversed ? 0 : 1].deletedAt = .now
            for account in pair { context.insert(account) }
            try await context.save()
            let (there, gone) = isReversed ? (pair[1], pair[0]) : (pair[0], pair[1])
            store.recorder.reset()
            // Rows are written in the order of their keys, so one of the two ways needs the other order.
            there.name = "left"
            context.delete(there)
            gone.deletedAt = nil
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            #expect(try await accounts(store) == ["a@x left deleted", "a@x \(isReversed ? "one" : "two")"])
            // A third takes the value of one that is deleted in the same save.
            let other = Account("b@x", "other")
            context.insert(other)
            try await context.save()
            context.delete(gone)
            other.email = "a@x"
            try await context.save()
            #expect(try await accounts(store).contains("a@x other"))
            #expect(!context.hasChanges)
            // The history has one change of each object.
            let changes = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            #expect(changes.last?.changes.count == 2)
        }
    }

    @Test func `objects move in and out of several conditions, and exchange what is left`() async throws {
        try await withRegister { store, context in
            let (a, b, c) = (
                Booking("a", "r1", 1, .booked), Booking("b", "r1", 1, .draft), Booking("c", "r2", 1, .held)
            )
            for booking in [a, b, c] { context.insert(booking) }
            try await context.save()
            // c takes r1 from a, which becomes a draft; b takes r2 from c.
            a.state = .draft
            c.room = "r1"
            (b.room, b.state) = ("r2", .held)
            try await context.save()
            #expect(try await bookings(store) == ["a r1 1 draft", "b r2 1 held", "c r1 1 held"])
            // An exchange of two that stay, with NULL for nobody.
            (b.room, c.room) = (c.room, b.room)
            try await context.save()
            #expect(try await bookings(store) == ["a r1 1 draft", "b r1 1 held", "c r2 1 held"])
            // Two bookings of one hour without a guest: of the two sets, the second refuses.
            (b.state, c.state) = (.booked, .booked)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.message.hasPrefix("Another object has the same Booking.hour.") == true)
            // A guest is no nobody: the reference decides, to a new object too.
            b.guest = Guest()
            try await context.save()
            #expect(try await bookings(store) == ["a r1 1 draft", "b r1 1 booked", "c r2 1 booked"])
        }
    }

    @Test(arguments: [false, true])
    func `what a check ties together is not written apart, and the order decides`(isReversed: Bool) async throws {
        try await withRegister { store, context in
            let badges = [Badge(7), Badge(8)]
            for badge in badges { context.insert(badge) }
            try await context.save()
            let (leaving, taking) = isReversed ? (badges[1], badges[0]) : (badges[0], badges[1])
            let number = leaving.number
            (leaving.returnedAt, leaving.returnedTo) = (.now, "Ann")
            taking.number = number
            if isReversed {
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.code == .uniqueConstraint)
                taking.number = 9
                try await context.save()
                taking.number = number
            }
            try await context.save()
            #expect(
                try await store.database.texts("SELECT number || coalesce(returned_to, '') FROM badge ORDER BY 1") == [
                    "\(number)", "\(number)Ann",
                ])
        }
    }

    @Test func `a condition with a relationship reads no row`() async throws {
        try await withRegister { store, context in
            for number in 1...2 {
                let booking = Booking("b\(number)", "r", number, .booked)
                booking.guest = Guest()
                context.insert(booking)
            }
            try await context.save()
            let other = ModelContext(store.container)
            other.lazyLoading = .forbidden
            let bookings = try await other.fetch(FetchDescriptor<Booking>(sortBy: [SortDescriptor(\.code)]))
            store.recorder.reset()
            for _ in 0..<2 {
                swap(&bookings[0].hour, &bookings[1].hour)
                try await other.save()
            }
            #expect(store.recorder.roundTrips == 2)
            #expect(try await self.bookings(store) == ["b1 r 1 booked", "b2 r 2 booked"])
        }
    }

    @Test func `who changes within the condition keeps the values, and a new object takes the row over`() async throws {
        try await withRegister { store, context in
            let job = Job(1, 2, 1)
            context.insert(job)
            try await context.save()
            job.opened = 0
            context.insert(Job(1, 3, 2))
            try await context.save()
            #expect(
                try await store.database.texts("SELECT concat_ws(' ', number, closed, opened) FROM job") == ["1 3 2"])
        }
    }

    @Test func `what cannot be evaluated is not under the condition`() async throws {
        try await withRegister { store, context in
            let jobs = [Job(1, nil, 0), Job(1, nil, 0), Job(1, 2, 1)]
            for job in jobs { context.insert(job) }
            try await context.save()
            for job in jobs.prefix(2) { job.number = 2 }
            try await context.save()
            #expect(try await store.database.texts("SELECT number::text FROM job ORDER BY 1") == ["1", "2", "2"])
        }
    }

    @Test func `what is said twice is looked up once`() async throws {
        try await withRegister { store, context in
            context.insert(Twice(1))
            try await context.save()
            store.recorder.reset()
            context.insert(Twice(1))
            context.insert(Twice(2))
            try await context.save()
            #expect(store.recorder.statements.count { $0.contains("FOR NO KEY UPDATE") } == 1)
            #expect(store.recorder.statements.count { $0.contains("PARTITION BY") } == 1)
        }
    }

    // MARK: Rows without objects

    @Test func `rows without objects are compared under the condition`() async throws {
        try await withRegister { store, context in
            let first = Account("a@x", "first")
            context.insert(first)
            try await context.save()
            context.delete(first)
            try await context.save()
            store.recorder.reset()
            let result = try await context.insert(
                into: Account.self, \.email, \.name, \.deletedAt,
                rows: [
                    ("a@x", "one", nil), ("b@x", "gone", Date(timeIntervalSince1970: 0)), ("b@x", "two", nil),
                    ("a@x", "three", nil),
                ], uniquePolicy: .upsert)
            #expect(result.insertedCount == 3)
            #expect(try await accounts(store) == ["a@x first deleted", "a@x three", "b@x gone deleted", "b@x two"])
            #expect(
                store.recorder.statements.contains(
                    #"SELECT d.i, d.w FROM (SELECT u.i, min(u.i) OVER (PARTITION BY u.c0) AS w FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS u(i, c0, c1) "#
                        + "WHERE u.c0 IS NOT NULL AND (u.c1 IS NULL)) AS d WHERE d.i <> d.w"))
            let again = try await context.insert(
                into: Account.self, \.email, \.name, rows: [("a@x", "four"), ("b@x", "five")], uniquePolicy: .ignore)
            #expect(again.insertedCount == 0)
            let refused = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Account.self, \.email, rows: [("c@x"), ("a@x")], uniquePolicy: .fail)
            }
            #expect(
                refused?.message
                    == "Row 2 of those inserted into Account: an object with the same Account.email is there already. Leave the row "
                    + "out, or choose a uniquePolicy that updates or ignores.")
        }
    }

    // MARK: What is refused

    @Test func `a database without the index, or with a constraint of all rows, is not opened`() async throws {
        try await withRegister { store, _ in
            func refusal() async -> String {
                do {
                    let container = try await store.reopened(Schema(Register.all))
                    await container.close()
                    return "opened"
                } catch { return "\(error)" }
            }
            #expect(await refusal() == "opened")
            try await store.database.execute("DROP INDEX account_email_key")
            let missing = await refusal()
            #expect(
                missing.contains(
                    "account (email) is not unique among the rows of a condition, the schema needs it to be"),
                "\(missing)")
            try await store.database.execute("ALTER TABLE account ADD UNIQUE (email)")
            let all = await refusal()
            #expect(
                all.contains("account (email) is unique among all rows, the schema needs it among some of them"),
                "\(all)")
            // Beside the index it refuses what the index would take, and no look-up finds the row that stands in the way.
            try await store.database.execute("CREATE UNIQUE INDEX ON account (email) WHERE name <> ''")
            #expect(await refusal() == all)
            // Whether the conditions say the same, the server is asked by `drift` alone.
            try await store.database.execute("ALTER TABLE account DROP CONSTRAINT account_email_key")
            #expect(await refusal() == "opened")
        }
    }

    @Test func `a condition says of one table what a table can keep`() async {
        func refusal(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        let elsewhere = await refusal(Misused.Special.self, Misused.Base.self)
        #expect(
            elsewhere.contains(
                "the condition of #Unique of code names properties of Base, which lie in another table"),
            "\(elsewhere)")
        let empty = await refusal(Misused.Empty.self)
        #expect(empty.contains("the condition of #Unique of code names no property of the class"), "\(empty)")
        let ofClass = await refusal(Misused.Kind.self, Misused.Subkind.self)
        #expect(ofClass.contains("the condition of #Unique of code asks for what is no property"), "\(ofClass)")
    }
}

private enum Misused {
    @Model class Base { var isOpen = true }
    @Model final class Special: Base {
        #Unique<Special>([\.code]) { $0.isOpen }
        var code: String = ""
    }
    @Model class Kind {
        #Unique<Kind>([\.code]) { $0 is Subkind }
        var code: String = ""
    }
    @Model final class Subkind: Kind {
        var more: String = ""
    }
    @Model final class Empty {
        #Unique<Empty>([\.code]) { _ in true }
        var code: String = ""
    }
}
