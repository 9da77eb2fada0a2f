package import Foundation
import SampleTripsModels
import Strata

/// Runs `body` with a fresh store for the SampleTrips models that is gone afterwards.
package func withTripStore(_ label: String = "", _ body: (ModelStore) async throws -> Void) async throws {
    try await withModelStore(of: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self), label, body)
}

package func day(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 86_400) }
