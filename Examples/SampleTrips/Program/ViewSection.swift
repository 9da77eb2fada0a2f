import Foundation
import Requests
import SampleTripsModels
import Strata

/// A report whose rows the server keeps.
struct ViewSection {
    let report: Report

    func run() async throws {
        report.section("Materialized views")
        let container = try await ModelContainer(
            for: Trip.self, CityReport.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        for (city, month) in [("Kyoto", 4), ("Kyoto", 11), ("Paris", 5)] { context.insert(Self.trip(to: city, month)) }
        try await context.save()
        report.expect(
            try await context.fetchCount(FetchDescriptor<CityReport>()) == 0, "it has the rows of its last refresh")

        let cities = try await CityReport.renewed(in: context)
        for city in cities { report.show("\(city.city): \(city.trips)") }
        report.expect(cities.map(\.city) == ["Kyoto", "Paris"], "a refresh computes them, and rows are objects")

        context.insert(Self.trip(to: "Paris", 12))
        try await context.save()
        let before = cities.map(\.trips)
        let again = try await CityReport.renewed(in: context)
        report.expect(
            before == [2, 1] && again.map(\.trips) == [2, 2], "the next one tells of trips that were saved since")
        report.expect(again == cities, "in the same objects")
        await container.close()
    }

    private static func trip(to city: String, _ month: Int) -> Trip {
        Trip(name: "To \(city)", destination: city, startDate: day(2026, month, 1), endDate: day(2026, month, 8))
    }
}
