import Foundation
import PlainClient
import Strata

/// Q2: all sales in groups by three keys, with a count, a sum and the latest date.
struct Grouping: Workload {
    let name = "Q2"
    let title = "groups by three keys"
    let limit: Double? = 1.05
    let size: Int
    private static let utc = TimeZone(identifier: "UTC")!

    func plain(_ database: Database) throws -> () throws -> Outcome {
        {
            let sql = """
                SELECT city, category, date_trunc('month', sold_at, 'UTC'), count(*), sum(price), max(sold_at) FROM sale
                GROUP BY 1, 2, 3
                """
            return try database.plain.outcome(plain_fetch(database.plain.raw, sql, "tllldl"))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            let groups = try context.fetch(
                FetchDescriptor<Sale>(), selecting: .key(\.city), .key(\.category),
                .key(\.soldAt, by: .month, in: Self.utc), .count, .sum(\.price), .maximum(\.soldAt))
            return Outcome(count: groups.count, held: groups)
        }
    }
}
