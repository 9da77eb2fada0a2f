import Foundation
import PlainClient
import Strata

/// W7: loads trips, gives each another destination and commits.
final class ChangeMany: Workload {
    let name = "W7"
    let title = "load, change one property each, save"
    let limit: Double? = 1.3
    let size: Int
    private let total: Int
    private let names: [[String]]
    private let texts: [PlainTexts]
    private var round = 0

    init(size: Int, total: Int) {
        self.size = size
        self.total = total
        names = (0..<2).map { round in (0...size + 1000).map { "Changed \(round) \($0)" } }
        texts = names.map(PlainTexts.init)
    }

    private var end: Date { TripData.end(of: size, among: total) }

    private func prepare(_ database: Database) throws {
        round += 1
        try TripData.reset(database)
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        try prepare(database)
        let texts = texts[round % 2]
        return { [self] in
            let count = plain_change(database.plain.raw, end.microseconds, texts.pointers)
            return Outcome(count: try database.plain.count(count))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        try prepare(database)
        let names = names[round % 2]
        return { [self] in
            let context = ModelContext(database.container)
            let end = end
            let trips = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.startDate < end }))
            for (index, trip) in trips.enumerated() { trip.destination = names[index] }
            try context.save()
            return Outcome(count: trips.count, held: (context, trips))
        }
    }
}
