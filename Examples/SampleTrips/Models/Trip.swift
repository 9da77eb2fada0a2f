public import Foundation
public import Strata

/// A journey: where to, from when to when, and what to do there.
@Model
public class Trip {
    #Unique<Trip>([\.name, \.startDate, \.endDate])
    #Index<Trip>([\.startDate], [\.destination])

    /// What it is called.
    @Attribute(.preserveValueOnDeletion)
    public var name: String
    /// Where it leads.
    @Attribute(hashModifier: "v3")
    public var destination: String

    /// The first day.
    @Attribute(.preserveValueOnDeletion, originalName: "start_date")
    public var startDate: Date
    /// The last day.
    @Attribute(.preserveValueOnDeletion, originalName: "end_date")
    public var endDate: Date

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
        self.startDate = startDate
        self.endDate = endDate
    }
}
