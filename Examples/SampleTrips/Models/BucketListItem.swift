public import Strata

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
    public init(title: String, details: String = "", hasReservation: Bool = false, isInPlan: Bool = false) {
        self.title = title
        self.details = details
        self.hasReservation = hasReservation
        self.isInPlan = isInPlan
    }
}
