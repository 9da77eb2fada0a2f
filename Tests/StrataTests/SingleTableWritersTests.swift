import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// An address of a network card, which the server writes in a form of its own.
private struct CardAddress: PostgresTextCodable, Hashable, Codable {
    var text: String
    init(_ text: String) { self.text = text }
    static let postgresTypeName = "macaddr"
    var postgresText: String { text.uppercased() }
    init?(postgresText text: String) { self.text = text }
}

private enum SharedShop {
    @Model(table: "staff", classColumn: "kind", inheritance: .singleTable) class Member {
        #Unique<Member>([\.name])
        var name: String
        var card: CardAddress = CardAddress("08:00:2b:01:02:03")
        init(_ name: String) { self.name = name }
    }
    @Model class Seller: Member {
        #Unique<Seller>([\.till])
        #Check<Seller>("quota") { $0.quota > 0 }
        var till: Int?
        var quota: Int = 1
        var lock: CardAddress?
        @Relationship(deleteRule: .cascade) var desk: Desk?
    }
    @Model final class Buyer: Member {
        #Check<Buyer>("limit") { $0.limit >= 0 }
        var limit: Int = 0
    }
    @Model final class Desk {
        var number: Int
        init(_ number: Int) { self.number = number }
    }
    static let types: [any PersistentModel.Type] = [Member.self, Seller.self, Buyer.self, Desk.self]
}

private enum Firm {
    @Model(table: "crew", classColumn: "kind", inheritance: .singleTable) class Person {
        var name: String
        init(_ name: String) { self.name = name }
    }
    @Model final class Manager: Person { var company: Company? }
    @Model final class Company {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Manager.company) var managers: [Manager] = []
        init(_ name: String) { self.name = name }
    }
    static let types: [any PersistentModel.Type] = [Person.self, Manager.self, Company.self]
}

/// Objects of several classes in one table, which several contexts and other programs write.
@Suite struct SingleTableWritersTests {
    private func withShop(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Schema(SharedShop.types)) { try await body($0, ModelContext($0.container)) }
    }

    private func named(_ name: String) -> FetchDescriptor<SharedShop.Member> {
        FetchDescriptor<SharedShop.Member>(predicate: #Predicate { $0.name == name })
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            "SELECT concat_ws(' ', kind, name, coalesce(till::text, '-'), coalesce(quota::text, '-'), coalesce(\"limit\"::text, '-')) FROM staff ORDER BY name"
        )
    }

    /// What was sent, without the schema and quotes.
    private func sent(_ store: ModelStore, _ body: () async throws -> Void) async throws -> [String] {
        store.recorder.reset()
        try await body()
        return store.recorder.statements.map { $0.replacing("\"public\".", with: "").replacing("\"", with: "") }
    }

    @Test func newRowsOfSeveralClassesAreOneStatement() async throws {
        try await withShop { store, context in
            for model in [SharedShop.Buyer("b"), SharedShop.Seller("a"), SharedShop.Member("c")] as [SharedShop.Member]
            {
                context.insert(model)
            }
            let statements = try await sent(store) { try await context.save() }
            let inserts = statements.filter { $0.hasPrefix("INSERT INTO staff") || $0.contains("(INSERT INTO staff") }
            #expect(
                inserts == [
                    """
                    INSERT INTO staff (pk, kind, name, card, limit, till, quota, lock, desk) \
                    SELECT u.c0, u.c1, u.c2, u.c3::macaddr, u.c4, u.c5, u.c6, u.c7::macaddr, u.c8 \
                    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::bigint[]) \
                    AS u(c0, c1, c2, c3, c4, c5, c6, c7, c8) ORDER BY u.c2 COLLATE C, u.c5
                    """
                ], "\(statements)")
            #expect(try await rows(store) == ["Seller a - 1 -", "Buyer b - - 0", "Member c - - -"])
        }
    }

    /// Both write `b` and `m`, each as objects of other classes. One statement a class was one order a save: each held what the other waited for.
    @Test func twoSavesOfTheSameValuesInOtherClassesDoNotDeadlock() async throws {
        try await withShop { store, _ in
            let holder = try await store.database.connect()
            defer { holder.close() }
            try await holder.run(
                PostgresBatch(PostgresStatement(PreparedSQL("BEGIN", isCached: false))) { _ in })
            try await holder.run(
                PostgresBatch(
                    PostgresStatement(
                        PreparedSQL(
                            "INSERT INTO staff (pk, kind, name, card) VALUES (-5, 'Member', 'm', '08:00:2b:01:02:03')",
                            isCached: false))
                ) { _ in })
            let container = store.container
            @Sendable func write(_ first: Bool) async -> SwiftDataError? {
                let context = ModelContext(container)
                context.uniquePolicy = .fail
                do {
                    try await context.transaction {
                        if first {
                            context.insert(SharedShop.Seller("a"))
                            context.insert(SharedShop.Seller("m"))
                            context.insert(SharedShop.Buyer("b"))
                        } else {
                            context.insert(SharedShop.Seller("b"))
                            context.insert(SharedShop.Seller("m"))
                            context.insert(SharedShop.Buyer("a"))
                        }
                    }
                    return nil
                } catch { return error as? SwiftDataError }
            }
            async let one = write(true)
            async let other = write(false)
            // Both wait: for the row that is held, or for the one who waits for it.
            try await waitUntil {
                try await store.database.texts(
                    "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == ["2"]
            }
            try await holder.run(PostgresBatch(PostgresStatement(PreparedSQL("ROLLBACK", isCached: false))) { _ in })
            let errors = [await one, await other].compactMap { $0 }
            #expect(errors.map(\.code) == [.uniqueConstraint], "\(errors.map(\.debugDescription))")
            #expect(try await store.database.texts("SELECT count(*)::text FROM staff") == ["3"])
        }
    }

    @Test func ofTwoChangesOfARowOneIsAConflict() async throws {
        try await withShop { store, context in
            context.insert(SharedShop.Seller("a"))
            try await context.save()
            let other = ModelContext(store.container)
            let theirs = try #require(try await other.fetch(named("a")).first as? SharedShop.Seller)
            let mine = try #require(try await context.fetch(named("a")).first as? SharedShop.Seller)
            // A change of the class meets a change of a value of the class that it leaves, in both orders.
            _ = try await other.convert(theirs, to: SharedShop.Buyer.self) { $0.limit = 3 }
            mine.quota = 5
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict || error?.code == .modelNotFound, "\(String(describing: error))")
            #expect(try await rows(store) == ["Buyer a - - 3"])
            let again = await #expect(throws: SwiftDataError.self) {
                context.rollback()
                _ = try await context.convert(mine, to: SharedShop.Member.self)
            }
            #expect(again?.code == .conflict)
            #expect(try await rows(store) == ["Buyer a - - 3"])
        }
    }

    @Test func aChangeOfClassKeepsTheRulesOfTheNewOne() async throws {
        try await withShop { store, context in
            let (taken, buyer) = (SharedShop.Seller("a"), SharedShop.Buyer("b"))
            taken.till = 7
            for model in [taken, buyer] as [SharedShop.Member] { context.insert(model) }
            try await context.save()
            let broken = await #expect(throws: SwiftDataError.self) {
                _ = try await context.convert(buyer, to: SharedShop.Seller.self) { $0.quota = 0 }
            }
            #expect(broken?.message.contains("quota") == true, "\(String(describing: broken))")
            let second = ModelContext(store.container)
            let same = try #require(try await second.fetch(named("b")).first)
            let unique = await #expect(throws: SwiftDataError.self) {
                _ = try await second.convert(same, to: SharedShop.Seller.self) { $0.till = 7 }
            }
            #expect(unique?.code == .uniqueConstraint, "\(String(describing: unique))")
            #expect(try await rows(store) == ["Seller a 7 1 -", "Buyer b - - 0"])
            // What was taken is free when its class is left.
            let third = ModelContext(store.container)
            let leaving = try #require(try await third.fetch(named("a")).first)
            _ = try await third.convert(leaving, to: SharedShop.Member.self)
            let entering = try #require(try await third.fetch(named("b")).first)
            _ = try await third.convert(entering, to: SharedShop.Seller.self) { $0.till = 7 }
            #expect(try await rows(store) == ["Member a - - -", "Seller b 7 1 -"])
        }
    }

    @Test func anUpsertThatMeetsARowOfASisterClassIsRefused() async throws {
        try await withShop { store, context in
            context.insert(SharedShop.Seller("a"))
            try await context.save()
            let other = ModelContext(store.container)
            other.uniquePolicy = .upsert
            other.insert(SharedShop.Buyer("a"))
            let error = await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(
                error?.message.contains(
                    "A new Buyer has the Member.name of a stored Seller. An object cannot change its class") == true,
                "\(String(describing: error))")
            other.rollback()
            let seller = SharedShop.Seller("a")
            seller.quota = 9
            other.insert(seller)
            try await other.save()
            #expect(try await rows(store) == ["Seller a - 9 -"])
        }
    }

    @Test func anUpdateByPredicateIsInTheHistoryOfItsClass() async throws {
        try await withShop { store, context in
            for model in [SharedShop.Seller("a"), SharedShop.Buyer("b"), SharedShop.Member("c")] as [SharedShop.Member]
            {
                context.insert(model)
            }
            try await context.save()
            // A value of another program in the row of another class is nobody's.
            try await store.database.execute("UPDATE staff SET quota = 1 WHERE name = 'c'")
            let token = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
            let statements = try await sent(store) {
                try context.update(
                    model: SharedShop.Seller.self, where: #Predicate { $0.quota == 1 }, .set(\.quota, to: 4))
                try await context.save()
            }
            #expect(
                statements.contains { $0.contains("UPDATE staff AS t0 SET quota = $1") && $0.contains("t0.kind = $") },
                "\(statements)")
            #expect(try await rows(store) == ["Seller a - 4 -", "Buyer b - - 0", "Member c - 1 -"])
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            descriptor.predicate = token.map { token in #Predicate { $0.token > token } }
            let history = try await context.fetchHistory(descriptor)
            #expect(history.flatMap(\.changes).map(\.changedPersistentIdentifier.entityName) == ["Seller"])
            #expect(history.map(\.summary) == ["update Seller: quota"])
        }
    }

    /// Another program has left the desk in the row when it made a buyer of the seller.
    @Test func aDeleteRuleAsksForTheClass() async throws {
        try await withShop { store, context in
            let seller = SharedShop.Seller("a")
            seller.desk = SharedShop.Desk(1)
            let second = SharedShop.Seller("b")
            second.desk = SharedShop.Desk(2)
            for model in [seller, second] { context.insert(model) }
            try await context.save()
            try await store.database.execute(
                "UPDATE staff SET kind = 'Buyer', \"limit\" = 0 WHERE name = 'a'")
            let other = ModelContext(store.container)
            for member in try await other.fetch(FetchDescriptor<SharedShop.Member>()) { other.delete(member) }
            try await other.save()
            #expect(try await store.database.texts("SELECT number::text FROM desk") == ["1"])
        }
    }

    /// Where the rows that go with an object have its key, the server's foreign key takes them along whatever their class, and memory hears of it.
    @Test func aRuleThatTheServerFollowsToAsksNoClass() async throws {
        try await withModelStore(of: Schema(Firm.types)) { store in
            let context = ModelContext(store.container)
            let firm = Firm.Company("f")
            let manager = Firm.Manager("m")
            manager.company = firm
            context.insert(manager)
            try await context.save()
            try await store.database.execute("UPDATE crew SET kind = 'Person'")
            let other = ModelContext(store.container)
            let person = try #require(try await other.fetch(FetchDescriptor<Firm.Person>()).first)
            #expect(type(of: person) == Firm.Person.self)
            for company in try await other.fetch(FetchDescriptor<Firm.Company>()) { other.delete(company) }
            try await other.save()
            #expect(try await store.database.texts("SELECT name FROM crew") == [])
            #expect(person.modelContext == nil)
        }
    }

    /// The cast of a type of the user's own stands in the statements of all classes of the table, also for inherited properties.
    @Test func inheritedPropertiesOfOwnTypesAreCast() async throws {
        try await withShop { store, context in
            let seller = SharedShop.Seller("a")
            seller.card = CardAddress("08:00:2b:0a:0b:0c")
            seller.lock = CardAddress("08:00:2b:00:00:01")
            context.insert(seller)
            try await context.save()
            seller.card = CardAddress("08:00:2b:0a:0b:0d")
            seller.lock = nil
            try await context.save()
            #expect(
                try await store.database.texts("SELECT card::text || ' ' || kind FROM staff") == [
                    "08:00:2b:0a:0b:0d Seller"
                ])
            let card = CardAddress("08:00:2b:0a:0b:0d")
            seller.lock = card
            // Over unsaved changes too.
            let found = try await context.fetch(
                FetchDescriptor<SharedShop.Seller>(predicate: #Predicate { $0.card == card && $0.lock == card }))
            #expect(found.map(\.name) == ["a"])
            try await context.save()
            let read = try await ModelContext(store.container).fetch(FetchDescriptor<SharedShop.Seller>())
            #expect(read.first?.lock == card && read.first?.card == card)
        }
    }
}
