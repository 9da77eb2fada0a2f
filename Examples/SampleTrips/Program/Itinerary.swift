import Strata

/// A day's walk through a city: its stops have an order.
@Model
final class Itinerary {
    var name: String
    @Relationship(.ordered, deleteRule: .cascade, inverse: \Stop.itinerary) var stops: [Stop] = []

    init(name: String) { self.name = name }
}

/// A place where an itinerary pauses.
@Model
final class Stop {
    var place: String
    var itinerary: Itinerary?

    init(place: String, itinerary: Itinerary? = nil) {
        self.place = place
        self.itinerary = itinerary
    }
}
