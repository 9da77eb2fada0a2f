import Strata

/// A relationship that keeps the order of its array.
struct OrderSection {
    let report: Report

    func run() async throws {
        report.section("Ordered relationships")
        let container = try await ModelContainer(
            for: Itinerary.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let walk = Itinerary(name: "Montmartre")
        walk.stops = ["Moulin Rouge", "Sacré-Cœur", "Place du Tertre"].map { Stop(place: $0) }
        context.insert(walk)
        try await context.save()

        walk.stops.swapAt(1, 2)
        walk.stops.insert(Stop(place: "Le Mur des je t'aime"), at: 1)
        try await context.save()

        let reader = ModelContext(container)
        let walks = try await reader.fetch(FetchDescriptor<Itinerary>())
        report.expect(
            walks[0].stops.map(\.place) == [
                "Moulin Rouge", "Le Mur des je t'aime", "Place du Tertre", "Sacré-Cœur",
            ], "an ordered relationship is read as it was arranged")
        await container.close()
    }
}
