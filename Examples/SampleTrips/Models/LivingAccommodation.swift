public import Strata

/// Where one sleeps on a trip.
@Model
public final class LivingAccommodation {
    public var placeName: String
    public var address: String
    public var isConfirmed: Bool = false
    public var trip: Trip?

    public init(placeName: String, address: String, isConfirmed: Bool = false) {
        self.placeName = placeName
        self.address = address
        self.isConfirmed = isConfirmed
    }
}
