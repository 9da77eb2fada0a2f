import Foundation
import StrataModels

enum Weather: String, Codable, CaseIterable { case sunny, rainy, mild }

@Model
class Journey {
    var name: String
    var nickname: String?
    var rating: Int
    var score: Double
    var budget: Int?
    var isOpen: Bool
    var isPaid: Bool?
    var weather: Weather
    var lastWeather: Weather?
    var start: Date
    var code: UUID
    var tags: [String]
    var stops: [Stop] = []
    var home: Town?

    init(
        name: String, nickname: String?, rating: Int, score: Double, budget: Int?, isOpen: Bool, isPaid: Bool?,
        weather: Weather, lastWeather: Weather?, start: Date, code: UUID, tags: [String]
    ) {
        self.name = name
        self.nickname = nickname
        self.rating = rating
        self.score = score
        self.budget = budget
        self.isOpen = isOpen
        self.isPaid = isPaid
        self.weather = weather
        self.lastWeather = lastWeather
        self.start = start
        self.code = code
        self.tags = tags
    }
}

@Model
final class BusinessJourney: Journey {
    var perdiem: Double = 0
}

@Model
final class Stop {
    var title: String
    var minutes: Int
    var isDone: Bool
    var note: String?

    init(title: String, minutes: Int, isDone: Bool, note: String?) {
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
    var capital: Town?

    init(city: String, country: String?, population: Int) {
        self.city = city
        self.country = country
        self.population = population
    }
}
