import Foundation
import SampleTripsModels
import Strata

/// Predicates: what is written in Swift and answered by PostgreSQL.
struct PredicateSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Predicates")
        try await text()
        try await compound()
        try await optionalFilter()
        try await expressions()
        try await subclasses()
        try await relationships()
        try await collections()
    }

    /// Fetches, and expects the trips with these names, in any order.
    private func expect(_ names: [String], _ what: String, where predicate: Predicate<Trip>) async throws {
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor(predicate: predicate))
        report.expect(Set(trips.map(\.name)) == Set(names), what)
    }

    private func text() async throws {
        let text = "PARIS"
        let search = #Predicate<Trip> {
            $0.name.localizedStandardContains(text) || $0.destination.localizedStandardContains(text)
        }
        try await expect(["Client visit", "Paris, again"], "localizedStandardContains ignores case", where: search)

        let context = ModelContext(container)
        let museums = try await context.fetch(
            FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.title.localizedStandardContains("musee") }))
        report.expect(museums.map(\.title) == ["Musée d'Orsay"], "and accents")
        try await expect(
            ["Paris, again"], "hasPrefix compares exactly", where: #Predicate { $0.name.hasPrefix("Paris") })
    }

    private func compound() async throws {
        let text = ""
        let from = day(2026, 5, 1)
        let matchesText = #Predicate<Trip> { text.isEmpty ? true : $0.name.localizedStandardContains(text) }
        let isLater = #Predicate<Trip> { $0.startDate >= from }
        let isPaid = #Predicate<Trip> { $0 is BusinessTrip }
        let search = #Predicate<Trip> {
            matchesText.evaluate($0) && isLater.evaluate($0) && !isPaid.evaluate($0)
        }
        try await expect(
            ["Family reunion in Provence", "Thermal week", "Paris, again"],
            "predicates are built of predicates with evaluate", where: search)
    }

    private func optionalFilter() async throws {
        for (destination, names) in [("Paris", 2), (nil, 6)] as [(String?, Int)] {
            let search = #Predicate<Trip> { destination == nil || $0.destination == destination! }
            let count = try await ModelContext(container).fetchCount(FetchDescriptor(predicate: search))
            report.expect(count == names, "a filter that is not set is not part of the query")
        }
    }

    private func expressions() async throws {
        let openItems = #Expression<Trip, Int> { $0.bucketList.filter { !$0.isInPlan }.count }
        let busy = #Predicate<Trip> { openItems.evaluate($0) > 1 }
        let context = ModelContext(container)
        let found = try await context.fetch(FetchDescriptor(predicate: busy))
        let all = try await context.fetch(FetchDescriptor<Trip>())
        report.expect(
            try Set(found.map(\.name)) == Set(all.filter { try openItems.evaluate($0) > 1 }.map(\.name)),
            "an expression means in SQL what it means in memory")
    }

    private func subclasses() async throws {
        try await expect(
            ["Client visit", "Server-side conference"], "is asks for the class",
            where: #Predicate { $0 is BusinessTrip })

        let limit = 100.0
        let isGenerous = #Predicate<Trip> { trip in
            if let business = trip as? BusinessTrip { business.perdiem > limit } else { false }
        }
        try await expect(["Server-side conference"], "as? leads to a subclass's properties", where: isGenerous)

        let isForHealth = #Predicate<Trip> { trip in
            if let personal = trip as? PersonalTrip { personal.reason == .wellness } else { false }
        }
        try await expect(["Thermal week"], "enum cases are written as they are", where: isForHealth)
    }

    private func relationships() async throws {
        try await expect(
            ["Spring in Kyoto", "Client visit", "Family reunion in Provence"],
            "filter and count look into a relationship",
            where: #Predicate { $0.bucketList.filter { $0.hasReservation == false }.count > 0 })
        try await expect(
            ["Client visit", "Server-side conference"], "so does contains(where:)",
            where: #Predicate { $0.bucketList.contains { $0.isInPlan } })
        try await expect(
            ["Paris, again"], "and isEmpty", where: #Predicate { $0.bucketList.isEmpty })
        try await expect(
            ["Spring in Kyoto"], "a to-one relationship is followed with ?.",
            where: #Predicate { $0.livingAccommodation?.isConfirmed == true })

        let context = ModelContext(container)
        let inParis = FetchDescriptor<BucketListItem>(
            predicate: #Predicate { $0.trip?.destination == "Paris" },
            sortBy: [SortDescriptor(\.trip?.startDate, order: .reverse), SortDescriptor(\.title)])
        let items = try await context.fetch(inParis)
        report.expect(items.map(\.title) == ["Dinner at Chartier", "Musée d'Orsay"], "from the other end too")
    }

    private func collections() async throws {
        let cities: Set = ["Kyoto", "Budapest"]
        try await expect(
            ["Spring in Kyoto", "Thermal week"], "a captured collection is one parameter",
            where: #Predicate { cities.contains($0.destination) })
        let summer = day(2026, 6, 1)..<day(2026, 9, 1)
        try await expect(
            ["Family reunion in Provence"], "so is a range", where: #Predicate { summer.contains($0.startDate) })
    }
}
