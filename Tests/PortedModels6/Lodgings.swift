import Foundation
import SwiftData

// Classes and subclasses as in the releases of 2025: fetches by type, casts in predicates, deletions of a branch.

@available(iOS 26, macOS 26, *)
@Model
class Lodging {
    #Index<Lodging>([\.name], [\.checkIn, \.name])
    #Unique<Lodging>([\.name, \.checkIn])

    @Attribute(.preserveValueOnDeletion) var name: String
    var checkIn: Date
    var nights: Int = 1
    var trip: LodgingTrip?

    init(name: String, checkIn: Date, nights: Int = 1) {
        self.name = name
        self.checkIn = checkIn
        self.nights = nights
    }

    var price: Double { 0 }
    class var kindName: String { "lodging" }
}

@available(iOS 26, macOS 26, *)
@Model
class Hotel: Lodging {
    var stars: Int
    var breakfast: Bool = false

    init(name: String, checkIn: Date, stars: Int) {
        self.stars = stars
        super.init(name: name, checkIn: checkIn)
    }

    override var price: Double { Double(nights * stars) * 30 }
    override class var kindName: String { "hotel" }
}

@available(iOS 26, macOS 26, *)
@Model
final class Resort: Hotel {
    var pools: [String] = []

    override init(name: String, checkIn: Date, stars: Int = 5) {
        super.init(name: name, checkIn: checkIn, stars: stars)
        breakfast = true
    }
}

@available(iOS 26, macOS 26, *)
@Model
final class Campsite: Lodging, Comparable {
    enum Ground: String, Codable { case grass, sand }
    var ground: Ground = Ground.grass

    convenience init(name: String, checkIn: Date, ground: Ground) {
        self.init(name: name, checkIn: checkIn)
        self.ground = ground
    }

    override init(name: String, checkIn: Date, nights: Int = 1) {
        super.init(name: name, checkIn: checkIn, nights: nights)
    }

    static func < (lhs: Campsite, rhs: Campsite) -> Bool { lhs.checkIn < rhs.checkIn }
}

@Model
final class LodgingTrip {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Lodging.trip) var lodgings: [Lodging] = []
    init(title: String) { self.title = title }

    var nextCampsite: Campsite? { lodgings.compactMap { $0 as? Campsite }.min() }

    var hotels: [Hotel] { lodgings.compactMap { $0 as? Hotel } }
}

enum LodgingFilter: String, CaseIterable, Sendable {
    case all, hotels, camping

    var predicate: Predicate<Lodging>? {
        switch self {
        case .all: nil
        case .hotels: #Predicate { $0 is Hotel }
        case .camping: #Predicate { $0 is Campsite }
        }
    }
}

struct LodgingStore {
    let context: ModelContext

    func names(_ filter: LodgingFilter, text: String = "") throws -> [String] {
        let byKind = filter.predicate ?? .true
        let byText = #Predicate<Lodging> { text.isEmpty ? true : $0.name.localizedStandardContains(text) }
        let both = #Predicate<Lodging> { byKind.evaluate($0) && byText.evaluate($0) }
        return try context.fetch(FetchDescriptor(predicate: both, sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    func good(atLeast stars: Int) throws -> [Lodging] {
        let predicate = #Predicate<Lodging> { lodging in
            if let hotel = lodging as? Hotel {
                hotel.stars >= stars && hotel.breakfast
            } else {
                false
            }
        }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.checkIn)]))
    }

    func tripsWithHotels() throws -> [LodgingTrip] {
        try context.fetch(
            FetchDescriptor<LodgingTrip>(
                predicate: #Predicate { trip in trip.lodgings.contains { ($0 as? Hotel)?.stars ?? 0 > 3 } },
                sortBy: [SortDescriptor(\.title)]))
    }

    func kinds() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        try context.enumerate(FetchDescriptor<Lodging>()) { counts[type(of: $0).kindName, default: 0] += 1 }
        return counts
    }

    func forget(onlyPlainHotels: Bool) throws {
        try context.delete(model: Hotel.self, where: nil, includeSubclasses: !onlyPlainHotels)
        try context.save()
    }
}
