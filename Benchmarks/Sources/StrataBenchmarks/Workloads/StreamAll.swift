import Foundation
import PlainClient
import Strata

/// W9: all trips, 5,000 in memory at a time.
struct StreamAll: Workload {
    let name = "W9"
    let title = "stream in batches of 5,000"
    let limit: Double? = 1.25
    let size: Int
    var countsRoundTrips: Bool { false }
    /// The C program with a cursor and the next FETCH under way, instead of single rows; slower.
    var byCursor = false

    func plain(_ database: Database) throws -> () throws -> Outcome {
        { Outcome(count: try database.plain.count(plain_stream(database.plain.raw, 5000, byCursor))) }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            var count = 0
            try context.enumerate(FetchDescriptor<Trip>(), batchSize: 5000) { _ in count += 1 }
            return Outcome(count: count)
        }
    }

    func bars(plain: Series, strata: Series) -> [Measurement.Bar] {
        [.init(what: "MB of memory", value: Double(strata.growth ?? 0) / 1_048_576, limit: 16)]
    }
}
