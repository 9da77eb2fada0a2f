import Foundation
import SampleTripsModels
import Strata

/// Work of several tasks: actors with a context of their own.
struct ConcurrencySection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Concurrency")
        let planner = TripPlanner(modelContainer: container)
        let id = try await planner.plan("Riga in June", destination: "Riga")
        try await planner.move(id, by: 7 * 86_400)
        let trip: Trip? = try await ModelContext(container).existingModel(for: id)
        report.expect(trip?.startDate == day(2029, 6, 8), "an actor keeps its objects and hands out identifiers")
        report.expect(try await planner.count(to: "Riga") == 1, "an actor works with its own context")
    }
}

@ModelActor
actor TripPlanner {
    private var planned = 0

    func plan(_ name: String, destination: String) throws -> PersistentIdentifier {
        let trip = Trip(name: name, destination: destination, startDate: day(2029, 6, 1), endDate: day(2029, 6, 5))
        modelContext.insert(trip)
        try modelContext.save()
        planned += 1
        return trip.persistentModelID
    }

    func move(_ id: PersistentIdentifier, by interval: TimeInterval) throws {
        guard let trip = self[id, as: Trip.self] else { return }
        trip.startDate += interval
        trip.endDate += interval
        try modelContext.save()
    }

    func count(to destination: String) async throws -> Int {
        try await modelContext.fetchCount(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == destination }))
    }
}
