import Foundation
import PlainClient
import Strata

/// Q1: two properties of all trips, without objects.
struct Projection: Workload {
    let name = "Q1"
    let title = "names and dates, without objects"
    let limit: Double? = 1.15
    let size: Int

    func plain(_ database: Database) throws -> () throws -> Outcome {
        { try database.plain.outcome(plain_fetch(database.plain.raw, "SELECT name, start_date FROM trip", "tl")) }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            let rows = try context.fetch(FetchDescriptor<Trip>(), selecting: \.name, \.startDate)
            return Outcome(count: rows.count, held: rows)
        }
    }
}
