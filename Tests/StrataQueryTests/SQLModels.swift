import Foundation
import Strata

@Model class Voyage {
    enum Mood: String, Codable { case calm, wild }
    struct Captain: Codable, Equatable {
        var name: String
        var years: Int
    }

    var name: String
    var homePort: String
    var startDate: Date
    var price: Decimal?
    var mood: Mood
    var captain: Captain
    var tags: [String]
    @Relationship(deleteRule: .cascade, inverse: \Stop.voyage) var stops: [Stop] = []

    init(_ name: String, _ homePort: String, day number: Int, price: Decimal? = nil, mood: Mood = .calm) {
        self.name = name
        self.homePort = homePort
        startDate = Date(timeIntervalSince1970: Double(number) * 86_400)
        self.price = price
        self.mood = mood
        captain = Captain(name: "Captain of \(name)", years: number)
        tags = [name, homePort]
    }
}

@Model final class Cruise: Voyage {
    var decks: Int

    init(_ name: String, _ homePort: String, day number: Int, decks: Int) {
        self.decks = decks
        super.init(name, homePort, day: number)
    }
}

@Model final class Stop {
    var name: String
    var voyage: Voyage?

    init(_ name: String, of voyage: Voyage?) {
        self.name = name
        self.voyage = voyage
    }
}
