// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import SwiftData

@Model
public final class Deck {
    public var name: String
    public var createdAt: Date
    @Relationship(deleteRule: .cascade, inverse: \Card.deck)
    public private(set) var cards: [Card]

    public init(name: String) {
        self.name = name
        self.createdAt = Date()
        self.cards = []
    }

    public func add(front: String, back: String) {
        cards.append(Card(front: front, back: back))
    }

    public func due(on date: Date) -> [Card] {
        cards.filter { $0.dueDate <= date }
    }
}

@Model
public final class Card {
    public var front: String
    public var back: String
    public fileprivate(set) var ease: Double = 2.5
    public fileprivate(set) var interval: Int = 0
    public var dueDate: Date = Date.distantPast
    public var deck: Deck?
    @Relationship(deleteRule: .cascade, inverse: \Review.card) var reviews: [Review] = []

    public init(front: String, back: String) {
        self.front = front
        self.back = back
    }

    func answer(_ quality: Review.Quality, on date: Date) {
        reviews.append(Review(date: date, quality: quality))
        switch quality {
        case .again: interval = 0
        case .good: interval = max(1, interval * 2)
        case .easy: interval = max(2, interval * 3)
        }
        ease = min(max(ease + (quality == .again ? -0.2 : 0.1), 1.3), 3)
        dueDate = date.addingTimeInterval(TimeInterval(interval) * 86_400)
    }
}

@Model
public final class Review {
    public enum Quality: Int, Codable {
        case again, good, easy
    }

    public var date: Date
    public var quality: Quality
    var card: Card?

    init(date: Date, quality: Quality) {
        self.date = date
        self.quality = quality
    }
}

extension Card {
    static func dueDescriptor(in deck: Deck, on date: Date, limit: Int = 20) -> FetchDescriptor<Card> {
        let deckID = deck.persistentModelID
        var descriptor = FetchDescriptor<Card>(
            predicate: #Predicate { card in
                card.deck?.persistentModelID == deckID && card.dueDate <= date
            },
            sortBy: [SortDescriptor(\.dueDate), SortDescriptor(\.front)]
        )
        descriptor.fetchLimit = limit
        descriptor.propertiesToFetch = [\.front, \.dueDate]
        return descriptor
    }
}

public struct StudySession {
    let context: ModelContext
    let deck: Deck

    func next(on date: Date) throws -> Card? {
        try context.fetch(Card.dueDescriptor(in: deck, on: date, limit: 1)).first
    }

    func dueCount(on date: Date) throws -> Int {
        try context.fetchCount(Card.dueDescriptor(in: deck, on: date))
    }

    func deck(for id: PersistentIdentifier) throws -> Deck? {
        if let registered: Deck = context.registeredModel(for: id) { return registered }
        return try context.fetch(FetchDescriptor<Deck>(predicate: #Predicate { $0.persistentModelID == id })).first
    }
}
