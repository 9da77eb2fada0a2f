public import Strata

/// A journey that somebody plans.
@Model
public final class Trip {
    #Index<Trip>([\.destination])
    /// Where it goes.
    public var destination: String
    /// How many travel.
    public var travellers: Int

    /// A trip of one.
    public init(destination: String, travellers: Int = 1) {
        self.destination = destination
        self.travellers = travellers
    }
}

/// How many trips have been planned to a place: kept up to date from the history.
@Model
public final class DestinationCount {
    #Unique<DestinationCount>([\.destination])
    /// The place.
    public var destination: String
    /// The trips to it.
    public var trips: Int

    /// A place and its trips.
    public init(destination: String, trips: Int) {
        self.destination = destination
        self.trips = trips
    }
}
