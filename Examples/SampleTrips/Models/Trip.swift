public import Foundation
public import Strata

/// A journey: where to, from when to when, and what to do there.
@Model
public class Trip {
    #Unique<Trip>([\.name, \.startDate, \.endDate])
    #Index<Trip>([\.startDate], [\.destination])

    @Attribute(.preserveValueOnDeletion)
    public var name: String
    public var destination: String

    @Attribute(.preserveValueOnDeletion, originalName: "start_date")
    public var startDate: Date
    @Attribute(.preserveValueOnDeletion, originalName: "end_date")
    public var endDate: Date

    @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip)
    public var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade, inverse: \LivingAccommodation.trip)
    public var livingAccommodation: LivingAccommodation?

    public init(name: String, destination: String, startDate: Date, endDate: Date) {
        self.name = name
        self.destination = destination
        self.startDate = startDate
        self.endDate = endDate
    }
}
