public import Foundation
public import Strata

/// A trip for its own sake.
@Model
public final class PersonalTrip: Trip {
    /// What a trip can be for.
    public enum Reason: String, CaseIterable, Codable, Sendable {
        /// To visit relatives.
        case family
        /// To meet old friends.
        case reunion
        /// To rest.
        case wellness
    }

    /// Why one goes.
    public var reason: Reason

    /// A personal trip with an empty bucket list.
    public init(name: String, destination: String, startDate: Date, endDate: Date, reason: Reason) {
        self.reason = reason
        super.init(name: name, destination: destination, startDate: startDate, endDate: endDate)
    }
}
