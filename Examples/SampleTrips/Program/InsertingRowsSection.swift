import Foundation
import SampleTripsModels
import Strata

/// Inserting rows without objects.
struct InsertingRowsSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Inserting rows")
        let context = ModelContext(container)
        let before = try await context.fetchCount(FetchDescriptor<Trip>())

        let stops = [("Budapest", 200.0), ("Hévíz", 80)]
        let result = try await context.insert(
            into: BusinessTrip.self, \.destination, \.perdiem, \.name, \.startDate, \.endDate,
            rows: stops.lazy.map { ($0.0, $0.1, "Visit of \($0.0)", Date.now, Date.now.addingTimeInterval(86_400)) },
            reportsIdentifiers: true)
        let added = result.identifiers ?? []
        report.expect(result.insertedCount == 2, "rows are inserted without objects")
        let visits = try await context.fetch(
            FetchDescriptor<BusinessTrip>(predicate: #Predicate { $0.name.starts(with: "Visit of ") }))
        report.expect(Set(visits.map(\.persistentModelID)) == Set(added), "and are objects when they are fetched")

        for visit in visits { context.delete(visit) }
        try await context.save()
        let after = try await context.fetchCount(FetchDescriptor<Trip>())
        report.expect(after == before, "and all is as it was")
    }
}
