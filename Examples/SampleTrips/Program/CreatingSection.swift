import Foundation
import SampleTripsModels
import Strata

/// Starts empty, makes a graph of new objects and saves it at once.
struct CreatingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Creating and saving")
        try await startEmpty()
        let context = ModelContext(container)
        let kyoto = addTrips(to: context)
        report.expect(context.insertedModelsArray.count == 16, "inserting the trips inserted all they lead to")
        report.expect(kyoto.persistentModelID.isTemporary == false, "an inserted object has its final identifier")
        try await context.save()
        report.expect(!context.hasChanges, "after saving there is nothing left to write")
        report.show("\(kyoto.persistentModelID)")
    }

    private func startEmpty() async throws {
        let context = ModelContext(container)
        try context.delete(model: Trip.self)
        try context.delete(model: BucketListItem.self)
        try context.delete(model: LivingAccommodation.self)
        try await context.save()
        report.expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 0, "the store is empty")
    }

    private func addTrips(to context: ModelContext) -> Trip {
        let kyoto = Trip(
            name: "Spring in Kyoto", destination: "Kyoto", startDate: day(2026, 4, 2), endDate: day(2026, 4, 12))
        kyoto.bucketList = [
            BucketListItem(title: "Fushimi Inari at dawn"),
            BucketListItem(title: "Tea ceremony", hasReservation: true),
        ]
        kyoto.livingAccommodation = LivingAccommodation(
            placeName: "Ryokan Yoshida", address: "Higashiyama 12", isConfirmed: true)
        context.insert(kyoto)

        let visit = BusinessTrip(
            name: "Client visit", destination: "Paris", startDate: day(2026, 5, 4), endDate: day(2026, 5, 6),
            perdiem: 90)
        visit.bucketList = [
            BucketListItem(title: "Musée d'Orsay", hasReservation: true, isInPlan: true),
            BucketListItem(title: "Dinner at Chartier"),
        ]
        visit.livingAccommodation = LivingAccommodation(placeName: "Hôtel du Nord", address: "Quai de Jemmapes 102")
        context.insert(visit)

        let conference = BusinessTrip(
            name: "Server-side conference", destination: "London", startDate: day(2026, 9, 21),
            endDate: day(2026, 9, 24), perdiem: 120)
        conference.bucketList = [BucketListItem(title: "British Museum", hasReservation: true, isInPlan: true)]
        context.insert(conference)

        let reunion = PersonalTrip(
            name: "Family reunion in Provence", destination: "Avignon", startDate: day(2026, 7, 10),
            endDate: day(2026, 7, 20), reason: .reunion)
        reunion.bucketList = [
            BucketListItem(title: "Pont du Gard"), BucketListItem(title: "Market in Uzès", hasReservation: true),
        ]
        context.insert(reunion)

        let baths = PersonalTrip(
            name: "Thermal week", destination: "Budapest", startDate: day(2026, 11, 2), endDate: day(2026, 11, 8),
            reason: .wellness)
        baths.bucketList = [BucketListItem(title: "Széchenyi baths", hasReservation: true)]
        context.insert(baths)

        let paris = Trip(
            name: "Paris, again", destination: "Paris", startDate: day(2026, 12, 5), endDate: day(2026, 12, 8))
        context.insert(paris)
        return kyoto
    }
}
