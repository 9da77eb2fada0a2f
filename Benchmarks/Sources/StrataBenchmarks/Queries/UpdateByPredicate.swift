import Foundation
import PlainClient
import Strata

/// Q3: two properties of about 100,000 of 300,000 sales set by a predicate.
final class UpdateByPredicate: Workload {
    let name = "Q3"
    let title = "update by predicate"
    let limit: Double? = 1.1
    let size = 100_000
    /// A third of the minutes in which something is sold.
    private let end = TripData.firstStart.addingTimeInterval(333_333 * 60)
    private var round = 0

    /// A value that no row has, and no rows that are dead.
    private func prepare(_ database: Database) throws -> Int {
        round += 1
        try database.admin.execute("VACUUM sale", "CHECKPOINT")
        return round
    }

    private var condition: String { "sold_at < to_timestamp(\(Int(end.timeIntervalSince1970)))" }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        let category = try prepare(database)
        let count = try database.admin.number("SELECT count(*) FROM sale WHERE \(condition)")
        let sql = "UPDATE sale SET category = \(category), price = price + 1 WHERE \(condition)"
        return {
            try database.plain.execute("BEGIN", sql, "COMMIT")
            return Outcome(count: count)
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        let category = try prepare(database)
        return { [end] in
            let context = ModelContext(database.container)
            let update = try context.update(
                model: Sale.self, where: #Predicate { $0.soldAt < end }, .set(\.category, to: category),
                .add(1, to: \.price))
            try context.save()
            return Outcome(count: update.count ?? 0)
        }
    }
}
