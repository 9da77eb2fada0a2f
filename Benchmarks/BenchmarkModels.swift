import Foundation
import Strata

// SampleTrips without what a benchmark against plain SQL would have to leave out (unique sets, hidden checks): the same
// columns, keys and indexes that the plain libpq program of this folder works on.

@Model class Trip {
    #Index<Trip>([\.startDate], [\.name])
    var name: String
    var destination: String
    var startDate: Date
    var endDate: Date
    @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip) var bucketList: [BucketListItem] = []

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
