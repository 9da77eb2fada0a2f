import Foundation
import SampleTripsModels
import Strata

/// Delete rules, and deleting without loading.
struct DeletingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Deleting")
        try await one()
        try await cascade()
        try await many()
    }

    private func count<T: PersistentModel>(_ type: T.Type) async throws -> Int {
        try await ModelContext(container).fetchCount(FetchDescriptor<T>())
    }

    private func one() async throws {
        let context = ModelContext(container)
        let items = try await context.fetch(
            FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.title == "Pont du Gard" }))
        let trip = items[0].trip
        context.delete(items[0])
        report.expect(items[0].isDeleted, "a deleted object says so")
        try await context.save()
        report.expect(trip?.bucketList.map(\.title) == ["Market in Uzès"], "its trip lists it no more")
    }

    private func cascade() async throws {
        let context = ModelContext(container)
        let trips = try await context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Spring in Kyoto" }))
        context.delete(trips[0])
        try await context.save()
        report.expect(try await count(Trip.self) == 5, "the trip is deleted")
        report.expect(try await count(BucketListItem.self) == 5, "and with it, by the rule .cascade, its bucket list")
        report.expect(try await count(LivingAccommodation.self) == 1, "and its accommodation")
    }

    private func many() async throws {
        let context = ModelContext(container)
        try context.delete(model: BusinessTrip.self, where: #Predicate { $0.perdiem < 100 })
        try await context.save()
        report.expect(try await count(BusinessTrip.self) == 1, "many objects are deleted in one statement")
        report.expect(try await count(LivingAccommodation.self) == 0, "with what depends on them")

        try context.delete(model: Trip.self, includeSubclasses: false)
        try await context.save()
        report.expect(try await count(Trip.self) == 3, "subclasses can be left out")
    }
}
