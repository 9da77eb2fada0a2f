import Foundation
import SampleTripsModels
import Strata
import StrataTestSupport
import Testing

/// The sample's plan, from its first version to its last, with data.
@Suite struct MigratingSampleTripsTests {
    @Test("duplicates become one, everything else stays, and subclasses can be used")
    func firstToLast() async throws {
        try await withMigratingStore { store in
            try await store.insertDuplicates()
            try await store.with(SampleTripsSchemaV4.self) { context in
                var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
                descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
                let trips = try await context.fetch(descriptor)
                #expect(trips.map(\.name) == ["Kyoto", "Paris"])
                #expect(trips.map(\.startDate) == [day(1), day(0)])
                #expect(trips.last?.endDate == day(7))
                #expect(trips.last?.bucketList.map(\.title).sorted() == ["Louvre", "Seine"])
                context.insert(
                    BusinessTrip(name: "Paris", destination: "b", startDate: day(9), endDate: day(10), perdiem: 4))
                try await context.save()
            }
            let versions = try await store.texts("SELECT version FROM strata.schema_version ORDER BY number")
            #expect(versions == ["1.0.0", "2.0.0", "3.0.0", "4.0.0"])
            try await store.with(SampleTripsSchemaV4.self, .verify) { _ in }
        }
    }
}
