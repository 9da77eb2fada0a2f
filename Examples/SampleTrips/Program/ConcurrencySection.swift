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
        try await taskExecutor()
        try await snapshots()
    }

    /// Tasks that do little but ask the database.
    private func taskExecutor() async throws {
        let container = container
        let count = try await withTaskExecutorPreference(ModelContainer.taskExecutor) {
            try await ModelContext(container).fetchCount(FetchDescriptor<Trip>())
        }
        report.expect(count > 0, "a task on the threads that wait for the database counts \(count) trips")
    }

    /// What crosses isolation, becomes JSON, and comes back.
    private func snapshots() async throws {
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Riga in June" }))
        trips.first?.bucketList = [BucketListItem(title: "Art Nouveau walk"), BucketListItem(title: "Central market")]
        try await context.save()
        let snapshots = try await context.snapshots(of: trips, including: \.bucketList, \.livingAccommodation)
        let titles = await Task.detached { snapshots.flatMap { $0.bucketList ?? [] }.map(\.title) }.value
        report.expect(titles.count == 2, "values cross to another task: \(titles.count) wishes")

        guard let snapshot = snapshots.first else { return report.expect(false, "there is a trip to Riga") }
        let json = try JSONEncoder().encode(snapshot)
        var copy = try JSONDecoder().decode(ModelSnapshot<Trip>.self, from: json)
        report.expect(copy == snapshot, "a snapshot is the same after it was JSON")

        try copy.set(\.destination, to: "Rīga")
        let trip = try await context.update(from: copy, allowing: .everything)
        report.expect(trip.destination == "Rīga" && trip.hasChanges, "an object takes the values of a snapshot")

        try await patch(trip, in: context)
        context.rollback()
        try await selections()
    }

    /// What a client sent.
    private func patch(_ trip: Trip, in context: ModelContext) async throws {
        let body = Data(#"{"destination": "Jūrmala"}"#.utf8)
        let patch = try JSONDecoder().decode(ModelPatch<Trip>.self, from: body)
        try await context.apply(patch, to: trip, allowing: \.name, \.destination)
        report.expect(trip.destination == "Jūrmala", "a patch says only what it changes")

        let greedy = try JSONDecoder().decode(
            ModelPatch<Trip>.self, from: Data(#"{"destination": "Ogre", "startDate": 0, "admin": true}"#.utf8))
        await report.expect(.refusedPatch, "and writes only what it may") {
            try await context.apply(greedy, to: trip, allowing: \.name, \.destination)
        }

        let wishes = try JSONDecoder().decode(
            ModelPatch<Trip>.self, from: Data(#"{"bucketList": [{"title": "Amber"}]}"#.utf8))
        try await context.apply(
            wishes, to: trip,
            allowing: .only(\.bucketList).related(at: \.bucketList, .only(\.title), creating: true))
        report.expect(trip.bucketList.map(\.title) == ["Amber"], "new objects are made where that is allowed")
    }

    /// A few columns for a list.
    private func selections() async throws {
        let context = ModelContext(container)
        let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
        let rows = try await context.snapshots(of: descriptor, only: \.name, \.destination)
        report.expect(
            rows.allSatisfy { $0.contains(\.name) && !$0.contains(\.startDate) },
            "\(rows.count) snapshots with two columns")
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
