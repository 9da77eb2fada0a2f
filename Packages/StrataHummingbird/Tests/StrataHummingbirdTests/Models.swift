import Foundation
import Strata

/// What the tests' routes serve.
@Model class Tour {
    @Attribute(.unique) var name: String
    var destination: String
    var budget: Int = 0
    @Attribute(.hidden) var margin: Int = 7
    @Attribute(.externalStorage) var badge: Data?
    @Attribute(.hidden) var badgeType: String?
    @Relationship(deleteRule: .cascade, inverse: \Stop.tour) var stops: [Stop] = []

    init(_ name: String, _ destination: String, budget: Int = 0) {
        self.name = name
        self.destination = destination
        self.budget = budget
    }
}

@Model final class GuidedTour: Tour {
    var guide: String

    init(_ name: String, _ destination: String, guide: String) {
        self.guide = guide
        super.init(name, destination)
    }
}

@Model final class Stop {
    var title: String
    var tour: Tour?

    init(_ title: String) { self.title = title }
}

/// Values of many kinds, for tags.
@Model final class Ledger {
    var title: String
    var note: String?
    var price: Decimal = 0
    var day: Date = Date(timeIntervalSince1970: 0)
    var limits: Limits = Limits(byName: [:])
    var marks: Marks = Marks(places: [])
    var words: Set<String> = []
    @Attribute(.transformable(by: SealedTransformer.self)) var secret: String = ""
    @Attribute(.transformable(by: SealedMarks.self)) var sealed: Marks = Marks(places: [])
    // swift-format-ignore: IdentifiersMustBeASCII
    var größe: Int = 1
    @Relationship(deleteRule: .cascade, inverse: \Entry.ledger) var entries: [Entry] = []
    @Relationship(.ordered, deleteRule: .cascade, inverse: \Note.ledger) var log: [Note] = []

    init(_ title: String) { self.title = title }

    struct Limits: Codable, Equatable {
        var byName: [String: Int]
        var factor: Double?
        var share: Decimal?
    }

    /// What JSON lists in any order.
    struct Marks: Codable, Equatable {
        enum Kind: String, Codable, CaseIterable { case sea, lake, river }

        var places: Set<String>
        var byKind: [Kind: Set<String>] = [:]

        init(places: Set<String>, byKind: [Kind: Set<String>] = [:]) { (self.places, self.byKind) = (places, byKind) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            places = try container.decode(Set<String>.self, forKey: .places)
            byKind = try container.decodeIfPresent([Kind: Set<String>].self, forKey: .byKind) ?? [:]
        }
    }
}

@Model final class Entry {
    var text: String
    var ledger: Ledger?

    init(_ text: String) { self.text = text }
}

@Model final class Note {
    var text: String
    var ledger: Ledger?

    init(_ text: String) { self.text = text }
}

/// Other bytes each time, and a value of several forms.
enum SealedMarks: AttributeTransformer {
    static func transformed(_ value: Ledger.Marks) throws -> Data {
        try Data([UInt8.random(in: 0...255)]) + JSONEncoder().encode(value)
    }
    static func restored(_ data: Data) throws -> Ledger.Marks {
        try JSONDecoder().decode(Ledger.Marks.self, from: data.dropFirst())
    }
}

/// As an encryption does: other bytes each time.
enum SealedTransformer: AttributeTransformer {
    static func transformed(_ value: String) throws -> Data { Data([UInt8.random(in: 0...255)]) + Data(value.utf8) }
    static func restored(_ data: Data) throws -> String { String(decoding: data.dropFirst(), as: UTF8.self) }
}
