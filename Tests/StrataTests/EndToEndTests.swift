import Foundation
import SampleTripsModels
import Strata
import StrataClient
import Testing

@Suite struct EndToEndTests {
    @Test func `a graph of a hierarchy is saved and fetched back deep and by subclass`() async throws {
        try await withTripStore("graph") { store in
            let context = ModelContext(store.container)
            let trip = Trip(name: "Weekend", destination: "Lyon", startDate: day(0), endDate: day(2))
            let business = BusinessTrip(
                name: "Conference", destination: "Oslo", startDate: day(3), endDate: day(5), perdiem: 80)
            let personal = PersonalTrip(
                name: "Reunion", destination: "Porto", startDate: day(6), endDate: day(9), reason: .reunion)
            trip.bucketList = [BucketListItem(title: "Traboules"), BucketListItem(title: "Quenelles")]
            personal.livingAccommodation = LivingAccommodation(placeName: "Casa", address: "Rua 1")
            for object in [trip, business, personal] { context.insert(object) }
            #expect(context.hasChanges)
            #expect(context.insertedModelsArray.count == 6)
            try await context.save()
            #expect(!context.hasChanges)

            let reader = ModelContext(store.container)
            store.recorder.reset()
            let trips = try await reader.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
            #expect(store.recorder.roundTrips == 1)
            #expect(trips.map(\.name) == ["Weekend", "Conference", "Reunion"])
            #expect(trips.map { "\(type(of: $0))" } == ["Trip", "BusinessTrip", "PersonalTrip"])
            #expect((trips[1] as? BusinessTrip)?.perdiem == 80)
            #expect((trips[2] as? PersonalTrip)?.reason == .reunion)
            #expect(trips[0].persistentModelID == trip.persistentModelID)
            #expect(trips[0].bucketList.map(\.title) == ["Traboules", "Quenelles"])
            #expect(trips[2].livingAccommodation?.placeName == "Casa")
            #expect(trips[2].livingAccommodation?.trip === trips[2])

            let business2 = try await reader.fetch(FetchDescriptor<BusinessTrip>())
            #expect(business2.count == 1)
            #expect(business2[0] === trips[1])
        }
    }

    @Test func `a saved change is read by another context`() async throws {
        try await withTripStore("change") { store in
            let context = ModelContext(store.container)
            let trip = BusinessTrip(name: "A", destination: "B", startDate: day(0), endDate: day(1), perdiem: 1)
            context.insert(trip)
            try await context.save()
            trip.destination = "Lyon"
            trip.perdiem = 99
            #expect(context.changedModelsArray.count == 1)
            try await context.save()
            let other = ModelContext(store.container)
            let read = try #require(try await other.fetch(FetchDescriptor<Trip>()).first as? BusinessTrip)
            #expect(read.destination == "Lyon")
            #expect(read.perdiem == 99)
            other.delete(read)
            try await other.save()
            #expect(read.isDeleted)
            #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 0)
        }
    }
}
