import ChangingTrips
import Foundation
import Strata
import StrataTestSupport
import Testing

/// The example that the documentation of hierarchies is taken from, version by version, with rows.
@Suite struct ChangingTripsTests {
    @Test("a hierarchy is built and taken apart, and every row keeps its values")
    func everyVersion() async throws {
        try await withMigratingStore { store in
            try await store.with(TripsV1.self, plan: TripsPlan.self) { context in
                context.insert(TripsV1.Trip(name: "Rome"))
                context.insert(TripsV1.Trip(name: "Oslo", perdiem: 12.5))
                context.insert(TripsV1.Excursion(name: "Alps", price: 19.99))
                try await context.save()
            }
            try await store.with(TripsV2.self, plan: TripsPlan.self) { context in
                let paid = try await context.fetch(FetchDescriptor<TripsV2.BusinessTrip>())
                #expect(paid.map(\.name) == ["Oslo"])
                #expect(paid.map(\.perdiem) == [12.5])
                #expect(try await context.fetchCount(FetchDescriptor<TripsV2.Trip>()) == 2)
            }
            try await store.with(TripsV3.self, plan: TripsPlan.self) { context in
                let paid = try await context.fetch(FetchDescriptor<TripsV3.PaidTrip>())
                #expect(paid.map(\.perdiem) == [12.5])
                #expect(paid.first is TripsV3.BusinessTrip)
                #expect(try await context.fetchCount(FetchDescriptor<TripsV3.Trip>()) == 3)
                // An object of the class that goes in the next version.
                let fair = TripsV3.PaidTrip(name: "Fair")
                fair.perdiem = 30
                context.insert(fair)
                try await context.save()
            }
            let configuration = ModelConfiguration(url: try #require(store.database.foundationURL))
            let container = try await OpeningTrips.migrating(configuration)
            let context = ModelContext(container)
            let trips = try await context.fetch(FetchDescriptor<TripsV4.Trip>(sortBy: [SortDescriptor(\.name)]))
            #expect(trips.map(\.name) == ["Alps", "Fair", "Oslo", "Rome"])
            #expect(trips.map(\.perdiem) == [nil, 30, 12.5, nil])
            #expect(trips.map { "\(type(of: $0))" } == ["Excursion", "Trip", "BusinessTrip", "Trip"])
            #expect(trips.allSatisfy { $0.country == "unknown" })
            #expect((trips.first as? TripsV4.Excursion)?.price == 1999)
            await container.close()
            await (try OpeningTrips.verifying(configuration)).close()
        }
    }

    @Test("a program that verifies refuses a database that is behind")
    func behind() async throws {
        try await withMigratingStore { store in
            try await store.with(TripsV1.self, plan: TripsPlan.self) { _ in }
            let configuration = ModelConfiguration(url: try #require(store.database.foundationURL))
            let error = try await #require(throws: MigrationError.self) {
                _ = try await OpeningTrips.verifying(configuration)
            }
            #expect(error.code == .difference)
            #expect(error.places.contains { $0.hasPrefix("step 2.1, phase expand") })
        }
    }
}
