import Foundation
import Strata

// The trips of the examples, without what the same work by hand would leave out too (unique sets, hidden checks): a base
// class, two subclasses in joined tables, and two related classes.

/// A journey of any kind.
@Model class Trip {
    #Index<Trip>([\.startDate], [\.name])
    var name: String
    var destination: String
    var startDate: Date
    var endDate: Date
    @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip) var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade, inverse: \LivingAccommodation.trip)
    var livingAccommodation: LivingAccommodation?

    init(name: String, destination: String, startDate: Date, endDate: Date) {
        self.name = name
        self.destination = destination
        self.startDate = startDate
        self.endDate = endDate
    }
}

@Model final class BusinessTrip: Trip {
    var perdiem: Double = 0
}

@Model final class PersonalTrip: Trip {
    var reason: String = ""
}

@Model final class BucketListItem {
    var title: String
    var hasReservation: Bool
    var trip: Trip?

    init(title: String, hasReservation: Bool) {
        self.title = title
        self.hasReservation = hasReservation
    }
}

@Model final class LivingAccommodation {
    var placeName: String
    var address: String
    var trip: Trip?

    init(placeName: String, address: String) {
        self.placeName = placeName
        self.address = address
    }
}
