import Foundation
import SampleTripsModels
import Strata

/// What happens when a new object has unique values that a row has already.
struct UniquenessSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Unique values")
        try await upsert()
        try await fail()
        try await ignore()
    }

    /// The same name and dates as a saved trip, which are unique together.
    private func kyotoAgain(destination: String) -> Trip {
        Trip(name: "Spring in Kyoto", destination: destination, startDate: day(2026, 4, 2), endDate: day(2026, 4, 12))
    }

    private func kyoto(in context: ModelContext) async throws -> [Trip] {
        try await context.fetch(FetchDescriptor(predicate: #Predicate { $0.name == "Spring in Kyoto" }))
    }

    private func upsert() async throws {
        let context = ModelContext(container)
        let existing = try await context.fetchIdentifiers(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Spring in Kyoto" }))
        let trip = kyotoAgain(destination: "Kyōto")
        context.insert(trip)
        try await context.save()
        report.expect(
            trip.persistentModelID == existing.first, "a new object took the place of the row with its values")
        let other = ModelContext(container)
        let saved = try await kyoto(in: other)
        report.expect(saved.map(\.destination) == ["Kyōto"], "and updated it")
        report.expect(saved.first?.bucketList.count == 2, "what it had not set stays")
    }

    private func fail() async throws {
        let context = ModelContext(container)
        context.uniquePolicy = .fail
        context.insert(kyotoAgain(destination: "Osaka"))
        await report.expect(.uniqueConstraint, "uniquePolicy .fail refuses it") { try await context.save() }
    }

    private func ignore() async throws {
        let context = ModelContext(container)
        context.uniquePolicy = .ignore
        let trip = kyotoAgain(destination: "Osaka")
        context.insert(trip)
        try await context.save()
        report.expect(
            trip.destination == "Kyōto", "uniquePolicy .ignore keeps the row, and the object takes its values")
    }
}
