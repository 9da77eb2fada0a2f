public import Strata

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
    public init(placeName: String, address: String, isConfirmed: Bool = false) {
        self.placeName = placeName
        self.address = address
        self.isConfirmed = isConfirmed
    }
}
