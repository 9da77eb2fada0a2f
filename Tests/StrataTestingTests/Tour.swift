import Strata
import StrataTesting

@Model
final class Guide {
    #Unique<Guide>([\.email])
    var email: String
    @Relationship(deleteRule: .nullify, inverse: \Tour.guide) var tours: [Tour] = []

    init(email: String) { self.email = email }
}

@Model
final class Tour {
    #Index<Tour>([\.start])
    var name: String
    var start: Date
    var price: Int
    var guide: Guide?

    init(name: String, start: Date, price: Int = 10, guide: Guide? = nil) {
        self.name = name
        self.start = start
        self.price = price
        self.guide = guide
    }
}

enum Sample {
    static let guide = Factory { number in Guide(email: "guide\(number)@example.com") }
    static let tour = Factory { number in
        Tour(name: "Tour \(number)", start: Date(timeIntervalSince1970: 0), guide: guide.make())
    }
    static let dearTour = tour.with { $0.price = 100 }
}
