import Foundation
import SampleTripsModels
import Strata

/// A trip that turns out to be a business trip.
struct ClassChangeSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Changing an object's class")
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Riga in June" }))
        guard let trip = trips.first else { return report.expect(false, "there is a trip to Riga") }
        let wishes = trip.bucketList.count

        let business = try await context.convert(trip, to: BusinessTrip.self) { $0.perdiem = 90 }
        report.expect(business.name == "Riga in June" && business.bucketList.count == wishes, "it keeps what it had")

        let saved = try await ModelContext(container).fetch(
            FetchDescriptor<BusinessTrip>(predicate: #Predicate { $0.name == "Riga in June" }))
        report.expect(saved.map(\.perdiem) == [90], "and is found as what it is now")
    }
}
