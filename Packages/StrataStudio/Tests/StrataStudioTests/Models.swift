import Foundation
import Strata

@Model
class Tour {
    @Attribute(.unique, .preserveValueOnDeletion) var name: String
    var notes: String?
    var price: Double
    var startDate: Date
    var map: Data?
    @Relationship(.ordered, deleteRule: .cascade, inverse: \Stop.tour) var stops: [Stop] = []
    @Relationship(inverse: \Guide.tours) var guides: [Guide] = []

    init(_ name: String, price: Double = 10, notes: String? = nil, map: Data? = nil) {
        self.name = name
        self.price = price
        self.notes = notes
        self.map = map
        startDate = Date(timeIntervalSince1970: 1_780_000_000)
    }
}

@Model
final class CityTour: Tour {
    var city: String

    init(_ name: String, city: String) {
        self.city = city
        super.init(name)
    }
}

@Model
final class Stop {
    var title: String
    var tour: Tour?

    init(_ title: String) { self.title = title }
}

@Model
final class Guide {
    var name: String
    var tours: [Tour] = []

    init(_ name: String) { self.name = name }
}
