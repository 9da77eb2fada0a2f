import Foundation
import SampleTripsModels
import Strata

/// A read-only container, and one in memory only.
struct ConfigurationSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Configurations")
        try await readOnly()
        try await inMemory()
    }

    private func readOnly() async throws {
        var configuration = ModelConfiguration("reports", allowsSave: false)
        configuration.postgresSchema = "sample_trips"
        let reports = try await ModelContainer(
            for: Trip.self, BusinessTrip.self, PersonalTrip.self, configurations: configuration)
        let context = ModelContext(reports)
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        report.expect(!trips.isEmpty, "a read-only container reads the same trips")
        trips[0].destination = "Atlantis"
        await report.expect(.readOnly, "and writes nothing") { try await context.save() }
        await reports.close()
    }

    private func inMemory() async throws {
        let sandbox = try await ModelContainer(
            for: Trip.self, BusinessTrip.self, PersonalTrip.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(sandbox)
        context.insert(Trip(name: "Try-out", destination: "Anywhere", startDate: .now, endDate: .now))
        try await context.save()
        report.expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 1, "a store in memory only starts empty")
        await sandbox.close()
    }
}
