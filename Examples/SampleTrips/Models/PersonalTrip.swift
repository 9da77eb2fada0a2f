public import Foundation
public import Strata

/// A trip for its own sake.
@Model
public final class PersonalTrip: Trip {
    /// Why one goes.
    public enum Reason: String, CaseIterable, Codable, Sendable {
        case family
        case reunion
        case wellness
    }

    public var reason: Reason

    public init(name: String, destination: String, startDate: Date, endDate: Date, reason: Reason) {
        self.reason = reason
        super.init(name: name, destination: destination, startDate: startDate, endDate: endDate)
    }
}
