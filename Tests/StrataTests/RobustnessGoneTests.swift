import Foundation
import SampleTripsModels
import Strata
import Testing

@Model private final class Card {
    enum Suit: String, Codable { case hearts, spades }
    var title: String
    var suit = Suit.hearts
    var back: Suit
    var count = 5
    var note: String?
    @Attribute(.externalStorage) var image: Data?
    @Relationship(inverse: \Hand.cards) var hand: Hand
    init(title: String, back: Suit, hand: Hand) {
        self.title = title
        self.back = back
        self.hand = hand
    }
}

@Model private final class Hand {
    /// Types without a value that says nothing.
    enum Side: String, Codable { case left, right }
    enum Strength: Codable { case weak, strong }
    enum Shape: Codable, Hashable {
        case circle(label: String, radius: Double)
        case polygon([String])
    }
    struct Score: Codable, Hashable {
        var points: Int
        var label: String
        var rounds: [Int]
        var best: Side
        var inner: Inner?
        struct Inner: Codable, Hashable { var date: Date }
    }

    var owner: String
    var side: Side
    var strength: Strength
    var score: Score
    var sides: [Side]
    var website: URL
    var shape: Shape
    var shapes: [String: Shape]
    @Relationship(deleteRule: .cascade) var cards: [Card] = []
    init(owner: String) {
        self.owner = owner
        side = .right
        strength = .strong
        score = Score(points: 1, label: "l", rounds: [1], best: .right)
        sides = [.right]
        website = URL(fileURLWithPath: "/tmp")
        shape = .polygon(["a"])
        shapes = ["a": .polygon([])]
    }
}

private func withCards(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
    try await withModelStore(Card.self, Hand.self) { store in
        let context = ModelContext(store.container)
        let hand = Hand(owner: "o")
        for title in ["a", "b"] {
            let card = Card(title: title, back: .spades, hand: hand)
            card.image = Data([1, 2, 3])
            context.insert(card)
        }
        try await context.save()
        try await body(store, ModelContext(store.container))
        // Whatever was done: this context fetches and saves.
        context.rollback()
        context.insert(Hand(owner: "usable"))
        try await context.save()
        #expect(
            try await context.fetchCount(FetchDescriptor<Hand>(predicate: #Predicate { $0.owner == "usable" })) == 1)
    }
}

@Suite struct RobustnessGoneTests {
    @Test func `reading what was not loaded of a row that is gone gives neutral values, and the save says so`()
        async throws
    {
        try await withCards { store, context in
            var descriptor = FetchDescriptor<Card>(sortBy: [SortDescriptor(\.title)])
            descriptor.propertiesToFetch = [\.title]
            let card = try #require(try await context.fetch(descriptor).first)
            try await store.database.execute("DELETE FROM card", "DELETE FROM hand")
            #expect(card.title == "a")
            #expect(card.count == 5)
            #expect(card.note == nil)
            #expect(card.suit == .hearts)
            // There is no neutral value of this type, so it was fetched all the same.
            #expect(card.back == .spades)
            #expect(card.image == nil)
            _ = card.hand
            _ = card.hand.owner
            _ = card.hand.cards.count
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .unfulfilledFault, "\(String(describing: error))")
            #expect(error?.message.contains("Card.count") == true, "\(String(describing: error))")
            #expect(error?.identifiers == [card.persistentModelID])
            // Once told, the context goes on.
            context.insert(Hand(owner: "next"))
            try await context.save()
            #expect(try await context.fetchCount(FetchDescriptor<Hand>()) == 1)
        }
    }

    @Test func `saving, refreshing and deleting objects whose rows are gone`() async throws {
        try await withCards { store, context in
            let cards = try await context.fetch(FetchDescriptor<Card>(sortBy: [SortDescriptor(\.title)]))
            try await store.database.execute("DELETE FROM card WHERE title = 'a'")
            cards[0].note = "x"
            cards[1].note = "y"
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .modelNotFound || error?.code == .conflict, "\(String(describing: error))")
            #expect(error?.identifiers == [cards[0].persistentModelID])
            #expect(context.changedModelsArray.count == 2)
            // Nothing was half-saved.
            let reader = ModelContext(store.container)
            #expect(try await reader.fetch(FetchDescriptor<Card>()).map(\.note) == [nil])
            context.rollback()
            let missing = await #expect(throws: SwiftDataError.self) { try await context.refresh(cards) }
            #expect(missing?.code == .modelNotFound)
            #expect(missing?.identifiers == [cards[0].persistentModelID])
            #expect(cards[0].title == "a")
            #expect(cards[0].isDeleted && cards[0].modelContext == nil)
            context.delete(cards[0])
            try await context.save()
            #expect(try await context.existingModel(for: cards[0].persistentModelID, as: Card.self) == nil)
            cards[1].note = "z"
            try await context.save()
            #expect(try await context.fetch(FetchDescriptor<Card>()).map(\.note) == ["z"])
        }
    }

    /// A child of which only the name was read and whose row others have deleted, and a parent.
    private func withGoneChild(_ body: (Graph.Child, Graph.Parent) -> Void) async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Child("child"), Graph.Parent("parent"))
            let context = store.context()
            var descriptor = FetchDescriptor<Graph.Child>()
            descriptor.propertiesToFetch = [\.name]
            let child = try #require(try await context.fetch(descriptor).first)
            let parent = try await context.only(Graph.Parent.self)
            try await store.database.execute("DELETE FROM child")
            body(child, parent)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .unfulfilledFault, "\(String(describing: error))")
            #expect(error?.message.contains("Child.parent") == true, "\(String(describing: error))")
            #expect(error?.identifiers == [child.persistentModelID])
            context.insert(Graph.Parent("next"))
            try await context.save()
            #expect(try await store.count(Graph.Parent.self) == 2)
        }
    }

    @Test func `a relationship that was not loaded of a row that is gone is not set, and the save says so`()
        async throws
    {
        try await withGoneChild { child, parent in
            // Where it led cannot be known, so nothing can be compared with it.
            child.parent = parent
            #expect(!child.hasChanges)
        }
        try await withGoneChild { child, parent in
            #expect(parent.children.isEmpty)
            child.parent = parent
            #expect(child.parent == nil && !child.hasChanges && parent.children.isEmpty)
        }
    }

    @Test func `a relationship that was not loaded of a row that is gone reads as nil, and the save says so`()
        async throws
    {
        try await withGoneChild { child, _ in #expect(child.parent == nil) }
    }

    @Test func `a new object that refers to a row that is gone is refused`() async throws {
        try await withCards { store, context in
            let hand = try #require(try await context.fetch(FetchDescriptor<Hand>()).first)
            try await store.database.execute("DELETE FROM card", "DELETE FROM hand")
            context.insert(Card(title: "late", back: .hearts, hand: hand))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .modelNotFound, "\(String(describing: error))")
            #expect(error?.message.contains("Card.hand") == true, "\(String(describing: error))")
            #expect(error?.sqlState == "23503")
            #expect(context.insertedModelsArray.count == 1)
        }
    }

    @Test func `a required relationship whose target is gone reads as an empty object`() async throws {
        try await withCards { store, context in
            let card = try #require(try await context.fetch(FetchDescriptor<Card>()).first)
            try await store.database.execute(
                "ALTER TABLE card DROP CONSTRAINT card_hand_fkey", "DELETE FROM hand")
            let hand = card.hand
            #expect(hand.owner == "")
            #expect(hand.cards.isEmpty)
            #expect(hand.side == .left)
            #expect(hand.strength == .weak)
            #expect(hand.score == Hand.Score(points: 0, label: "", rounds: [], best: .left))
            #expect(hand.sides.isEmpty)
            #expect(hand.website.path == "/")
            #expect(hand.shape == .circle(label: "", radius: 0))
            #expect(hand.shapes.isEmpty)
            #expect(hand.modelContext == nil)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .unfulfilledFault, "\(String(describing: error))")
            #expect(error?.message.contains("Card.hand") == true, "\(String(describing: error))")
        }
    }

    @Test func `an object of a context that is gone keeps its values and loads nothing`() async throws {
        try await withCards { store, _ in
            var descriptor = FetchDescriptor<Card>()
            descriptor.propertiesToFetch = [\.title]
            var context: ModelContext? = ModelContext(store.container)
            let card = try #require(try await context?.fetch(descriptor).first)
            context = nil
            #expect(["a", "b"].contains(card.title))
            #expect(card.count == 5)
            #expect(card.note == nil)
            #expect(card.image == nil)
            #expect(card.hand.owner == "")
            #expect(card.modelContext == nil)
            card.note = "x"
            #expect(card.note == "x")
        }
    }

    @Test func `lazy loading after the container was closed gives neutral values, and the save says so`() async throws {
        try await withCards { store, _ in
            let container = try await store.reopened(Schema(Card.self, Hand.self))
            let context = ModelContext(container)
            let card = try #require(try await context.fetch(FetchDescriptor<Card>()).first)
            await container.close()
            #expect(card.image == nil)
            #expect(card.hand.owner == "")
            card.note = "x"
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .unfulfilledFault)
            let closed = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(closed?.underlying?.code == .poolClosed)
        }
    }
}
