public import Foundation
public import Strata

/// The first release: trips with columns named as the database of before named them.
public enum SampleTripsSchemaV1: VersionedSchema {
    /// 1.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

    /// The classes of this version.
    public static var models: [any PersistentModel.Type] {
        [Trip.self, BucketListItem.self, LivingAccommodation.self]
    }

    /// A journey: where to, from when to when, and what to do there.
    @Model
    public final class Trip {
        /// What it is called.
        public var name: String
        /// Where it leads.
        public var destination: String

        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The first day.
        public var start_date: Date
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The last day.
        public var end_date: Date

        /// What to do there; deleted with the trip.
        @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip)
        public var bucketList: [BucketListItem] = []
        /// Where one sleeps; deleted with the trip.
        @Relationship(deleteRule: .cascade, inverse: \LivingAccommodation.trip)
        public var livingAccommodation: LivingAccommodation?

        /// A trip with an empty bucket list.
        public init(name: String, destination: String, startDate: Date, endDate: Date) {
            self.name = name
            self.destination = destination
            self.start_date = startDate
            self.end_date = endDate
        }
    }

    /// Something to do on a trip.
    @Model
    public final class BucketListItem {
        /// What it is.
        public var title: String
        /// What else there is to know.
        public var details: String = ""
        /// Whether a table, a seat or an entry is reserved.
        public var hasReservation: Bool = false
        /// Whether it has a place in the plan of the days.
        public var isInPlan: Bool = false
        /// The trip it belongs to.
        public var trip: Trip?

        /// An item that belongs to no trip yet.
        public init(title: String) {
            self.title = title
        }
    }

    /// Where one sleeps on a trip.
    @Model
    public final class LivingAccommodation {
        /// The name of the house.
        public var placeName: String
        /// Street and town.
        public var address: String
        /// Whether the house has confirmed the stay.
        public var isConfirmed: Bool = false
        /// The trip it belongs to.
        public var trip: Trip?

        /// A place that belongs to no trip yet.
        public init(placeName: String, address: String) {
            self.placeName = placeName
            self.address = address
        }
    }
}
