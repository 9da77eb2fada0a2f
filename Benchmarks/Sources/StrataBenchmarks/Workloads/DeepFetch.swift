import Foundation
import PlainClient
import Strata

/// W2: trips, each as its own class, with all columns.
struct DeepFetch: Workload {
    let name = "W2"
    let title = "fetch, each as its own class"
    let limit: Double? = 1.25
    let size: Int
    /// Of how many in the table.
    let total: Int

    private var end: Date? { size < total ? TripData.end(of: size, among: total) : nil }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        { try database.plain.outcome(plain_fetch_trips(database.plain.raw, end?.microseconds ?? 0)) }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            var descriptor = FetchDescriptor<Trip>()
            if let end { descriptor.predicate = #Predicate { $0.startDate < end } }
            let trips = try context.fetch(descriptor)
            return Outcome(count: trips.count, held: (context, trips))
        }
    }
}

/// W3: the objects of one subclass.
struct LeafFetch: Workload {
    let name = "W3"
    let title = "fetch one subclass"
    let limit: Double? = 1.25
    let size: Int

    func plain(_ database: Database) throws -> () throws -> Outcome {
        { try database.plain.outcome(plain_fetch_personal_trips(database.plain.raw)) }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            let trips = try context.fetch(FetchDescriptor<PersonalTrip>())
            return Outcome(count: trips.count, held: (context, trips))
        }
    }
}
