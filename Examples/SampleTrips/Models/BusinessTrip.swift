public import Foundation
public import Strata

/// A trip somebody else pays for.
@Model
public final class BusinessTrip: Trip {
    /// Euros a day.
    public var perdiem: Double = 0.0

    /// A business trip with an empty bucket list.
    public init(name: String, destination: String, startDate: Date, endDate: Date, perdiem: Double) {
        self.perdiem = perdiem
        super.init(name: name, destination: destination, startDate: startDate, endDate: endDate)
    }
}
