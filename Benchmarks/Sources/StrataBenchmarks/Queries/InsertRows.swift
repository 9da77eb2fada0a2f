import Foundation
import PlainClient
import Strata

/// Q6: a million sales without objects, beside `COPY` from C.
final class InsertRows: Workload {
    let name = "Q6"
    let title = "rows without objects"
    let limit: Double? = 1.2
    let size: Int
    private let cities = (0..<101).map { "City \($0)" }
    private let texts: PlainTexts

    init(size: Int) {
        self.size = size
        texts = PlainTexts(cities)
    }

    private func prepare(_ database: Database) throws {
        try database.admin.execute("TRUNCATE sale", "CHECKPOINT")
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        try prepare(database)
        return { [self] in
            let count = plain_copy_sales(
                database.plain.raw, Int64(size), TripData.firstPlainKey, texts.pointers, Int64(cities.count),
                TripData.firstStart.microseconds)
            return Outcome(count: try database.plain.count(count))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        try prepare(database)
        return { [self] in
            let context = ModelContext(database.container)
            let cities = cities
            let rows = (0..<size).lazy.map { index in
                let sold = TripData.firstStart.addingTimeInterval(Double(index) * 60)
                let due: Date? = index % 10 > 0 ? sold.addingTimeInterval(14 * 86_400) : nil
                return (cities[index % cities.count], index % 10, sold, due, Double(index % 1000))
            }
            let result = try context.insert(
                into: Sale.self, \.city, \.category, \.soldAt, \.dueAt, \.price, rows: rows)
            return Outcome(count: result.insertedCount)
        }
    }
}
