import Foundation
import StrataModels
import StrataRepository

/// Models for the translation of predicates: every kind of attribute and relationship, three levels of classes.
enum PredicateModels {
    static let mapping = StoreMapping(
        Schema([
            Journey.self, BusinessJourney.self, FirstClassJourney.self, CampingJourney.self, Stop.self, Town.self,
            Guest.self,
        ]))
}

enum Weather: String, Codable, CaseIterable, Comparable {
    case sunny, rainy, mild

    var isWet: Bool { self == .rainy }
    static func < (lhs: Weather, rhs: Weather) -> Bool { lhs.rawValue < rhs.rawValue }
}

enum Level: Int, Codable {
    case low = 1
    case high = 10
}

struct Address: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case city, number, isHome
        case zip = "postal_code"
        case geo, since
    }

    struct Point: Codable, Equatable {
        var latitude: Double
        var longitude: Double
    }

    var city: String
    var number: Int
    var isHome: Bool
    var zip: String?
    var geo: Point
    var since: Date

    var line: String { "\(number) \(city)" }
}

@Model
class Journey {
    var name: String
    var nickname: String?
    var rating: Int
    var budget: Int?
    var small: Int16
    var big: UInt64
    var score: Double
    var discount: Double?
    var ratio: Float
    var price: Decimal
    var isOpen: Bool
    var isPaid: Bool?
    var weather: Weather
    var lastWeather: Weather?
    var level: Level
    var start: Date
    var end: Date?
    var code: UUID
    var link: URL?
    var photo: Data?
    var tags: [String]
    var marks: [Int]?
    var kinds: [Weather]
    var address: Address
    var formerAddress: Address?
    @Transient var selection: Int = 0
    @Attribute(.ephemeral) var draft: Int = 0
    @Relationship(deleteRule: .cascade, inverse: \Stop.journey) var stops: [Stop] = []
    @Relationship(inverse: nil) var towns: [Town] = []
    @Relationship(inverse: \Guest.journeys) var guests: [Guest] = []
    @Relationship(inverse: \Town.visitors) var home: Town?

    var title: String { name.uppercased() }
    // Both are for most objects what is stored.
    var shownName: String { name.isEmpty ? "unknown" : name }
    var safeRating: Int { max(0, rating) }

    init(
        name: String, rating: Int = 0, small: Int16 = 0, big: UInt64 = 0, score: Double = 0, ratio: Float = 0,
        price: Decimal = 0, isOpen: Bool = false, weather: Weather = .mild, level: Level = .low,
        start: Date = .distantPast,
        code: UUID, tags: [String] = [], kinds: [Weather] = [], address: Address
    ) {
        self.name = name
        self.rating = rating
        self.small = small
        self.big = big
        self.score = score
        self.ratio = ratio
        self.price = price
        self.isOpen = isOpen
        self.weather = weather
        self.level = level
        self.start = start
        self.code = code
        self.tags = tags
        self.kinds = kinds
        self.address = address
    }
}

@Model
class BusinessJourney: Journey {
    var perdiem: Double = 0
    var client: Town?
}

@Model
final class FirstClassJourney: BusinessJourney {
    var lounge: String?
}

@Model
final class CampingJourney: Journey {
    var tents: Int = 0
}

@Model
final class Stop {
    var title: String
    var minutes: Int
    var isDone: Bool
    var note: String?
    var journey: Journey?
    var town: Town?

    init(title: String, minutes: Int, isDone: Bool, note: String? = nil) {
        self.title = title
        self.minutes = minutes
        self.isDone = isDone
        self.note = note
    }
}

@Model
final class Town {
    var city: String
    var country: String?
    var population: Int
    @Relationship(inverse: \Town.capitalOf) var capital: Town?
    var capitalOf: [Town] = []
    var visitors: [Journey] = []

    init(city: String, country: String? = nil, population: Int = 0) {
        self.city = city
        self.country = country
        self.population = population
    }
}

@Model
final class Guest {
    var name: String
    var age: Int
    var host: Guest?
    var journeys: [Journey] = []

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }
}
