import Foundation
import PlainClient
import Strata

/// W8: deletes loaded trips, and their items with them.
struct DeleteMany: Workload {
    let name = "W8"
    let title = "delete loaded trips, items go too"
    let limit: Double? = 1.15
    let size: Int

    /// All of them start after all others.
    private static let start = Date(timeIntervalSince1970: 4_102_444_800)

    private func prepare(_ database: Database) throws {
        try TripData.reset(database)
        let first = TripData.firstPlainKey
        let kinds = "(array['Trip', 'BusinessTrip', 'PersonalTrip'])[i % 3 + 1]"
        try database.admin.execute(
            """
            INSERT INTO trip (pk, class, name, destination, start_date, end_date)
            SELECT \(first) + i, \(kinds), 'Passing trip ' || i, 'Anywhere', to_timestamp(4102444800),
              to_timestamp(4102444800) FROM generate_series(1, \(size)) i
            """,
            "INSERT INTO business_trip SELECT pk, 10 FROM trip WHERE pk >= \(first) AND class = 'BusinessTrip'",
            "INSERT INTO personal_trip SELECT pk, 'because' FROM trip WHERE pk >= \(first) AND class = 'PersonalTrip'",
            """
            INSERT INTO bucket_list_item (pk, title, has_reservation, trip)
            SELECT \(first) + i * 2 + k, 'Item', false, \(first) + i FROM generate_series(1, \(size)) i,
              generate_series(0, 1) k
            """)
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        try prepare(database)
        var keys = [Int64](repeating: 0, count: size)
        let count = try database.admin.count(
            plain_keys(database.admin.raw, TripData.firstPlainKey, &keys, Int64(size)))
        return { [keys] in
            Outcome(count: try database.plain.count(plain_delete(database.plain.raw, keys, Int64(count))))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        try prepare(database)
        let context = ModelContext(database.container)
        let start = Self.start
        let trips = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.startDate >= start }))
        return {
            for trip in trips { context.delete(trip) }
            try context.save()
            return Outcome(count: trips.count, held: (context, trips))
        }
    }
}
