import Foundation
import Strata

/// A to-many relationship with very many members, built from both of its ends.
enum LargeRelationship {
    static func measure(_ database: Database, sizes: [Int]) throws -> [Measurement] {
        // An edit in place is compared with what was there: quick, but the time a member grows.
        let ways: [(name: String, title: String, compares: Bool, work: (Trip, [BucketListItem]) -> Void)] = [
            (
                "G3", "append to a to-many, one by one", true,
                { trip, items in for item in items { trip.bucketList.append(item) } }
            ),
            ("G4", "set the to-one of many objects", false, { trip, items in for item in items { item.trip = trip } }),
            (
                "G5", "take half of a to-many's members out", false,
                { trip, items in
                    trip.bucketList = items
                    for item in items.prefix(items.count / 2) { item.trip = nil }
                }
            ),
        ]
        var results: [Measurement] = []
        for way in ways {
            var first: Double?
            for size in sizes {
                let samples = try (0..<3).map { _ in try measure(database, size, way.work) }
                var measurement = Measurement(
                    name: way.name, title: way.title, size: size, strata: Series(samples))
                let each = measurement.strata.best / Double(size)
                measurement.notes.append(String(format: "%.2f µs a member", each * 1000))
                if let first, !way.compares {
                    // A list that no longer fits into the caches costs more a member, but not ten times more.
                    measurement.bars.append(
                        .init(what: "times the time a member of \(sizes[0])", value: each / first, limit: 3))
                }
                first = first ?? each
                results.append(measurement)
                // The next would take for ever.
                guard measurement.bars.allSatisfy(\.holds) else { break }
            }
        }
        return results
    }

    private static func measure(
        _ database: Database, _ size: Int, _ work: (Trip, [BucketListItem]) -> Void
    ) throws -> Sample {
        let context = ModelContext(database.container)
        let date = TripData.firstStart
        let trip = Trip(name: "Large", destination: "List", startDate: date, endDate: date)
        context.insert(trip)
        let items = (0..<size).map { BucketListItem(title: "Item \($0)", hasReservation: false) }
        for item in items { context.insert(item) }
        return Sample.take {
            work(trip, items)
            return Outcome(count: trip.bucketList.count, held: context)
        }.0
    }
}
