import Foundation
import PlainClient
import Strata

/// Q7: the rows of a statement, each as a `Decodable` struct.
struct StructsFromSQL: Workload {
    let name = "Q7"
    let title = "SQL into structs"
    let limit: Double? = 1.2
    let size: Int

    struct Card: Decodable {
        var name: String
        var destination: String
        var startDate: Date
        var days: Double
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        {
            let sql = """
                SELECT name, destination, start_date, extract(epoch FROM end_date - start_date)::float8 / 86400 AS days FROM trip
                """
            return try database.plain.outcome(plain_fetch(database.plain.raw, sql, "ttld"))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            let cards = try context.fetch(
                Card.self,
                sql: """
                    SELECT \(\Trip.name), \(\Trip.destination), \(\Trip.startDate),
                      extract(epoch FROM \(\Trip.endDate) - \(\Trip.startDate))::float8 / 86400 AS days
                    FROM \(Trip.self)
                    """)
            return Outcome(count: cards.count, held: cards)
        }
    }
}
