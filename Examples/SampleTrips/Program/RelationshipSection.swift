import Foundation
import SampleTripsModels
import Strata
import Synchronization

/// Both sides of a relationship agree at once; changes can be observed.
struct RelationshipSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Relationships and observation")
        beforeInsert()
        try await moving()
        try await observing()
    }

    private func beforeInsert() {
        let item = BucketListItem(title: "Ferry to Miyajima")
        let trip = Trip(name: "Hiroshima", destination: "Hiroshima", startDate: .now, endDate: .now)
        item.trip = trip
        report.expect(trip.bucketList.first === item, "the other side follows, without any context")
    }

    private func moving() async throws {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.destination == "Paris" }, sortBy: [SortDescriptor(\.startDate)])
        descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
        let trips = try await context.fetch(descriptor)
        let (visit, again) = (trips[0], trips[1])

        let dinner = visit.bucketList.first { $0.title == "Dinner at Chartier" }
        dinner?.trip = again
        report.expect(!visit.bucketList.contains { $0 === dinner }, "an item that moves leaves the old list")
        report.expect(again.bucketList.map(\.title) == ["Dinner at Chartier"], "and is in the new one")
        try await context.save()

        let other = ModelContext(container)
        let saved = try await other.fetch(
            FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.title == "Dinner at Chartier" }))
        report.expect(saved.first?.trip?.name == "Paris, again", "so it is in the store")
    }

    private func observing() async throws {
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor<PersonalTrip>(sortBy: [SortDescriptor(\.startDate)]))
        let seen = Flag()
        withObservationTracking {
            _ = trips[0].name
        } onChange: {
            seen.raise()
        }
        trips[0].destination = "Nîmes"
        report.expect(!seen.isRaised, "a change of another property is not announced")
        trips[0].name = "Family reunion"
        report.expect(seen.isRaised, "a change of the observed property is")
        context.rollback()
        report.expect(trips[0].name == "Family reunion in Provence", "rollback brings the values back")
    }
}

/// Something that has happened or not; observers may tell of it from anywhere.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}
