import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Model private class Card {
    #Unique<Card>([\.deck, \.position])
    @Attribute(.unique) var code: String
    var deck: Int
    var position: Int16
    var note: String = ""
    init(_ code: String, deck: Int = 0, position: Int16) {
        self.code = code
        self.deck = deck
        self.position = position
    }
}

@Model private final class Joker: Card {
    @Attribute(.unique) var power: Double
    @Attribute(.unique) var token: UUID?
    init(_ code: String, position: Int16, power: Double, token: UUID?) {
        self.power = power
        self.token = token
        super.init(code, position: position)
    }
}

@Model private final class Key {
    @Attribute(.unique) var day: Date
    @Attribute(.unique) var price: Decimal
    @Attribute(.unique) var bytes: Data
    @Attribute(.unique) var number: Int
    @Attribute(.unique) var id: UUID
    init(_ number: Int) {
        day = Date(timeIntervalSince1970: Double(number) * 86_400)
        price = Decimal(number)
        bytes = Data([UInt8(number)])
        self.number = number
        id = UUID()
    }
}

@Model private final class Listing {
    enum Kind: String, Codable { case one, two }

    @Attribute(.unique) var tags: [String]
    @Attribute(.unique) var numbers: [Int]
    @Attribute(.unique) var kinds: [Kind]
    init(_ tags: [String], _ numbers: [Int], _ kinds: [Kind]) {
        (self.tags, self.numbers, self.kinds) = (tags, numbers, kinds)
    }
}

@Model private final class Switch {
    @Attribute(.unique) var isOn: Bool
    init(_ isOn: Bool) { self.isOn = isOn }
}

@Model private final class Lock {
    @Relationship(inverse: \Bolt.lock) var bolt: Bolt?
    var name: String
    init(_ name: String) { self.name = name }
}

@Model private final class Bolt {
    var lock: Lock?
    @Attribute(.unique) var name: String
    init(_ name: String) { self.name = name }
}

/// Unique values that pass between objects which are there and stay, in one save.
@Suite(.timeLimit(.minutes(5))) struct UniqueExchangeTests {
    private func withCards(_ body: (ModelStore, ModelContext, [Card]) async throws -> Void) async throws {
        try await withModelStore(Card.self, Joker.self) { store in
            let context = ModelContext(store.container)
            let cards = (0..<4).map { Card("card\($0)", position: Int16($0)) }
            for card in cards { context.insert(card) }
            try await context.save()
            store.recorder.reset()
            try await body(store, context, cards)
        }
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        let connection = try await store.database.connect()
        defer { connection.close() }
        var rows: [String] = []
        try await connection.run(
            PostgresBatch(PostgresStatement("SELECT code || ' ' || position FROM card ORDER BY pk")) {
                rows.append(try $0.decode(0, as: String.self))
            })
        return rows
    }

    private func expectRows(
        _ store: ModelStore, _ expected: [String], _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await rows(store)
        #expect(found == expected, sourceLocation: location)
    }

    private func expectRows(
        _ store: ModelStore, startingWith expected: [String], _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await rows(store)
        #expect(found.starts(with: expected), sourceLocation: location)
    }

    @Test func `two objects exchange a unique value in one round trip`() async throws {
        try await withCards { store, context, cards in
            swap(&cards[0].code, &cards[1].code)
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            #expect(!context.hasChanges && cards.prefix(2).map(\.code) == ["card1", "card0"])
            try await expectRows(store, ["card1 0", "card0 1", "card2 2", "card3 3"])
            let updates = store.recorder.statements.filter { $0.contains("UPDATE") }
            #expect(updates.count == 2)
        }
    }

    @Test func `a value that is assigned again and the same is not parked`() async throws {
        try await withCards { store, context, cards in
            for card in cards { card.code = String(card.code) }
            cards[0].note = "new"
            try await context.save()
            // One for those with a new note, one for the others.
            #expect(store.recorder.statements.count { $0.contains("UPDATE") } == 2)
            try await expectRows(store, ["card0 0", "card1 1", "card2 2", "card3 3"])
        }
    }

    @Test func `a circle of three, a chain, and values of a constraint over two properties`() async throws {
        try await withCards { store, context, cards in
            let codes = cards.map(\.code)
            for (index, card) in cards.prefix(3).enumerated() { card.code = codes[(index + 1) % 3] }
            try await context.save()
            try await expectRows(store, ["card1 0", "card2 1", "card0 2", "card3 3"])
            // The last goes to where nobody is.
            for card in cards { card.position += 1 }
            try await context.save()
            try await expectRows(store, ["card1 1", "card2 2", "card0 3", "card3 4"])
            for card in cards { card.position -= 1 }
            try await context.save()
            try await expectRows(store, ["card1 0", "card2 1", "card0 2", "card3 3"])
            // Both constraints at once.
            swap(&cards[0].code, &cards[3].code)
            swap(&cards[0].position, &cards[3].position)
            cards[0].note = "moved"
            try await context.save()
            try await expectRows(store, ["card3 3", "card2 1", "card0 2", "card1 0"])
        }
    }

    @Test func `a new object takes the value that a chain sets free`() async throws {
        try await withCards { store, context, cards in
            cards[3].code = "free"
            cards[0].code = "card3"
            context.insert(Card("card0", position: 9))
            try await context.save()
            try await expectRows(store, ["card3 0", "card1 1", "card2 2", "free 3", "card0 9"])
        }
    }

    @Test func `subclasses exchange values of their own, optional ones, and those of the base class`() async throws {
        try await withModelStore(Card.self, Joker.self) { store in
            let context = ModelContext(store.container)
            let tokens = [UUID(), UUID()]
            let (one, two) = (
                Joker("one", position: 0, power: 1, token: tokens[0]),
                Joker("two", position: 1, power: 2, token: tokens[1])
            )
            for joker in [one, two] { context.insert(joker) }
            try await context.save()
            swap(&one.power, &two.power)
            swap(&one.token, &two.token)
            swap(&one.code, &two.code)
            try await context.save()
            let read = try await ModelContext(store.container).fetch(
                FetchDescriptor<Joker>(sortBy: [SortDescriptor(\.position)]))
            #expect(read.map(\.power) == [2, 1])
            #expect(read.map(\.token) == [tokens[1], tokens[0]])
            #expect(read.map(\.code) == ["two", "one"])
        }
    }

    @Test func `values of every type are exchanged`() async throws {
        try await withModelStore(Key.self) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Key(1), Key(2))
            let ids = [one.id, two.id]
            for key in [one, two] { context.insert(key) }
            try await context.save()
            swap(&one.day, &two.day)
            swap(&one.price, &two.price)
            swap(&one.bytes, &two.bytes)
            swap(&one.number, &two.number)
            swap(&one.id, &two.id)
            try await context.save()
            let read = try await ModelContext(store.container).fetch(FetchDescriptor<Key>()).sorted {
                $0.persistentModelID < $1.persistentModelID
            }
            #expect(
                read.map(\.number) == [2, 1] && read.map(\.price) == [2, 1] && read.map(\.id) == [ids[1], ids[0]])
            #expect(read.map(\.bytes) == [Data([2]), Data([1])] && read[0].day > read[1].day)
        }
    }

    @Test func `arrays of texts are exchanged, and of others the exchange is refused as such`() async throws {
        try await withModelStore(Listing.self) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Listing(["a", "b"], [1], [.one]), Listing(["c"], [2, 3], [.two]))
            for listing in [one, two] { context.insert(listing) }
            try await context.save()
            swap(&one.tags, &two.tags)
            swap(&one.kinds, &two.kinds)
            try await context.save()
            let read = try await ModelContext(store.container).fetch(FetchDescriptor<Listing>()).sorted {
                $0.persistentModelID < $1.persistentModelID
            }
            #expect(read.map(\.tags) == [["c"], ["a", "b"]])
            #expect(read.map(\.kinds) == [[.two], [.one]])
            swap(&one.numbers, &two.numbers)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.contains("exchange") == true, "\(String(describing: error))")
        }
    }

    @Test func `a type without a value to spare is refused as before, with nothing written`() async throws {
        try await withModelStore(Switch.self) { store in
            let context = ModelContext(store.container)
            let (on, off) = (Switch(true), Switch(false))
            for one in [on, off] { context.insert(one) }
            try await context.save()
            swap(&on.isOn, &off.isOn)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.contains("Switch.isOn") == true, "\(String(describing: error))")
            #expect(error?.message.contains("exchange") == true, "\(String(describing: error))")
            #expect(context.changedModelsArray.count == 2)
            context.rollback()
            on.isOn = false
            let plain = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(plain?.code == .uniqueConstraint)
            #expect(plain?.message.contains("exchange") == false, "\(String(describing: plain))")
        }
    }

    @Test func `no exchange is named where another object changes something else`() async throws {
        try await withCards { _, context, cards in
            cards[0].code = "card1"
            cards[2].note = "other"
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.contains("Card.code") == true, "\(String(describing: error))")
            #expect(error?.message.contains("exchange") == false, "\(String(describing: error))")
        }
    }

    @Test func `one-to-one partners are exchanged together with unique values`() async throws {
        try await withModelStore(Lock.self, Bolt.self) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Lock("one"), Lock("two"))
            (one.bolt, two.bolt) = (Bolt("a"), Bolt("b"))
            for lock in [one, two] { context.insert(lock) }
            try await context.save()
            let (a, b) = (try #require(one.bolt), try #require(two.bolt))
            one.bolt = b
            two.bolt = a
            swap(&a.name, &b.name)
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try await reader.fetch(
                FetchDescriptor<Lock>(sortBy: [SortDescriptor(\.name)]))
            #expect(read.map { $0.bolt?.name } == ["a", "b"])
            #expect(read.map { $0.bolt?.persistentModelID } == [b.persistentModelID, a.persistentModelID])
        }
    }

    @Test func `what others changed is a conflict still, of the value and of what is saved with it`() async throws {
        try await withCards { store, context, cards in
            for change in ["code = 'theirs'", "note = 'theirs'"] {
                try await store.database.execute("UPDATE card SET \(change) WHERE code = 'card0'")
                swap(&cards[0].code, &cards[1].code)
                cards[0].note = "mine"
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.code == .conflict)
                #expect(error?.identifiers == [cards[0].persistentModelID])
                let property = change.prefix(4) == "code" ? "Card.code" : "Card.note"
                #expect(error?.message.contains(property) == true, "\(String(reflecting: error))")
                context.rollback()
                try await store.database.execute(
                    "UPDATE card SET code = 'card0', note = '' WHERE code = 'theirs' OR note = 'theirs'")
            }
            try await expectRows(store, startingWith: ["card0 0", "card1 1"])
        }
    }

    @Test func `with keepStore the stored value stays, and others are exchanged`() async throws {
        try await withCards { store, context, cards in
            context.conflictPolicy = .keepStore
            try await store.database.execute("UPDATE card SET note = 'theirs' WHERE code = 'card0'")
            swap(&cards[0].code, &cards[1].code)
            cards[0].note = "mine"
            try await context.save()
            try await expectRows(store, startingWith: ["card1 0", "card0 1"])
            #expect(cards[0].note == "theirs")
            try await store.database.execute("UPDATE card SET code = 'theirs' WHERE code = 'card0'")
            cards[1].code = "card3"
            cards[3].code = "mine"
            try await context.save()
            try await expectRows(store, ["card1 0", "theirs 1", "card2 2", "mine 3"])
            #expect(cards[1].code == "theirs" && cards[3].code == "mine")
        }
    }

    @Test func `with overwrite the last writer wins`() async throws {
        try await withCards { store, context, cards in
            context.conflictPolicy = .overwrite
            try await store.database.execute("UPDATE card SET code = 'theirs' WHERE code = 'card0'")
            swap(&cards[0].code, &cards[1].code)
            try await context.save()
            try await expectRows(store, startingWith: ["card1 0", "card0 1"])
        }
    }

    @Test func `history shows one change of each object`() async throws {
        try await withCards { store, context, cards in
            let token = try #require(context.historyToken)
            swap(&cards[0].code, &cards[1].code)
            try await context.save()
            let transactions = try await context.fetchHistory(after: token, limit: 100).transactions
            #expect(transactions.count == 1)
            let changes = transactions.flatMap(\.changes)
            #expect(Set(changes.map(\.changedPersistentIdentifier)) == Set(cards.prefix(2).map(\.persistentModelID)))
            #expect(changes.count == 2)
            for change in changes {
                guard case .update(let update) = change else {
                    Issue.record("\(change)")
                    continue
                }
                #expect(update.updatedPropertyNames == ["code"])
            }
        }
    }

    @Test func `two saves that exchange the same values at once come to an end`() async throws {
        try await withCards { store, context, cards in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await store.container.withContext(attempts: 20) { context in
                            let cards = try await context.fetch(FetchDescriptor<Card>(sortBy: [SortDescriptor(\.deck)]))
                            swap(&cards[0].position, &cards[1].position)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let count = try await rows(store).count
            #expect(count == 4)
        }
    }

    @Test func `with keepStore a new object takes over a row that others gave its value and that is changed here`()
        async throws
    {
        try await withCards { store, context, cards in
            context.conflictPolicy = .keepStore
            try await store.database.execute("UPDATE card SET code = 'given' WHERE code = 'card0'")
            cards[0].code = "mine"
            let new = Card("given", position: 7)
            context.insert(new)
            try await context.save()
            try await expectRows(store, ["given 7", "card1 1", "card2 2", "card3 3"])
            #expect(new.persistentModelID.key == cards[1].persistentModelID.key.moved(by: -1))
            // A value that the row does leave is free.
            cards[1].code = "mine"
            context.insert(Card("card1", position: 8))
            try await context.save()
            try await expectRows(store, ["given 7", "mine 1", "card2 2", "card3 3", "card1 8"])
        }
    }
}
