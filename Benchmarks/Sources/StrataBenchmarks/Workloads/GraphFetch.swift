import Foundation
import PlainClient
import Strata

/// W6: trips with their items and accommodations.
struct GraphFetch: Workload {
    let name = "W6"
    let title = "fetch with items and accommodation"
    let limit: Double? = 1.3
    let size: Int
    let total: Int

    private var end: Date { TripData.end(of: size, among: total) }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        { try database.plain.outcome(plain_fetch_graph(database.plain.raw, end.microseconds)) }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            let end = end
            var descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.startDate < end })
            descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
            let trips = try context.fetch(descriptor)
            return Outcome(count: trips.count, held: (context, trips))
        }
    }
}
