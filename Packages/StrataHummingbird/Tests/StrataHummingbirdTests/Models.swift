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
    @Attribute(.transformable(by: SealedTransformer.self)) var secret: String = ""
    // swift-format-ignore: IdentifiersMustBeASCII
    var größe: Int = 1
    @Relationship(deleteRule: .cascade, inverse: \Entry.ledger) var entries: [Entry] = []

    init(_ title: String) { self.title = title }

    struct Limits: Codable, Equatable {
        var byName: [String: Int]
    }
}

@Model final class Entry {
    var text: String
    var ledger: Ledger?

    init(_ text: String) { self.text = text }
}

/// As an encryption does: other bytes each time.
enum SealedTransformer: AttributeTransformer {
    static func transformed(_ value: String) throws -> Data { Data([UInt8.random(in: 0...255)]) + Data(value.utf8) }
    static func restored(_ data: Data) throws -> String { String(decoding: data.dropFirst(), as: UTF8.self) }
}
