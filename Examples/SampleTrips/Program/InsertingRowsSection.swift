import Foundation
import SampleTripsModels
import Strata

/// Inserting rows without objects.
struct InsertingRowsSection {
    let container: ModelContainer
    let report: Report

    /// What another program sends.
    struct Booking: Codable {
        var destination: String
        var perdiem: Double
        var name: String
        var startDate, endDate: Date
    }

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

        let body = Data(
            #"""
            [{"destination": "Pécs", "perdiem": 60, "name": "Visit of Pécs", "startDate": 0, "endDate": 86400}]
            """#.utf8)
        let booked = try JSONDecoder().decode([Booking].self, from: body)
        try await context.insert(into: BusinessTrip.self, rows: booked)
        let found = FetchDescriptor<BusinessTrip>(predicate: #Predicate { $0.destination == "Pécs" })
        report.expect(try await context.fetchCount(found) == 1, "rows may name their values themselves")
        let dearer = booked.map { booking in
            var booking = booking
            booking.perdiem += 20
            return booking
        }
        let updated = try await context.insert(into: BusinessTrip.self, rows: dearer, uniquePolicy: .upsert)
        let perdiem = try await context.fetchSum(found, of: \.perdiem)
        report.expect(
            updated.insertedCount == 0 && updated.updatedCount == 1 && perdiem == 80,
            "and update the rows that are there")
        try context.delete(model: BusinessTrip.self, where: #Predicate { $0.destination == "Pécs" })

        for visit in visits { context.delete(visit) }
        try await context.save()
        let after = try await context.fetchCount(FetchDescriptor<Trip>())
        report.expect(after == before, "and all is as it was")
    }
}
