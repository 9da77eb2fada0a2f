import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport

/// A container for the SampleTrips models on a database of its own, and what was sent to it.
struct TripStore {
    let container: ModelContainer
    let recorder: StatementRecorder
    let database: TestDatabase

}

/// Runs `body` with a fresh store that is gone afterwards.
func withTripStore(_ label: String = "", _ body: (TripStore) async throws -> Void) async throws {
    try await withTestDatabase(label) { database in
        guard let url = database.foundationURL else { throw CocoaError(.fileNoSuchFile) }
        let recorder = StatementRecorder()
        let schema = Schema(Trip.self, BusinessTrip.self, PersonalTrip.self)
        let container = try await ModelContainer(
            opening: schema, configurations: [ModelConfiguration(url: url)], logger: Logger(label: "test"),
            observer: recorder)
        recorder.reset()
        do {
            try await body(TripStore(container: container, recorder: recorder, database: database))
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }
}

func day(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 86_400) }
