import Foundation
import PlainClient
import Strata

/// W5: the next 50 trips whose name contains a text, in any case, from a day on.
final class Searches: Workload {
    let name = "W5"
    let title = "searches: text, day, order, limit 50"
    let limit: Double? = 1.1
    let size: Int
    var operations: Int { size }
    private let words = ["aarhus", "basel", "cork", "dakar", "essen", "faro", "ghent", "hilo", "izmir", "jena"]
    private let starts: [Date]
    private let texts: PlainTexts

    init(size: Int) {
        self.size = size
        starts = (0..<size).map { TripData.firstStart.addingTimeInterval(Double($0 * 37 % 600) * 86_400) }
        let words = words
        texts = PlainTexts((0..<size).map { words[$0 % words.count] })
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        let microseconds = starts.map(\.microseconds)
        return { [self] in
            var latencies = [Int64](repeating: 0, count: size)
            let found = plain_search(database.plain.raw, texts.pointers, microseconds, Int64(size), &latencies)
            return Outcome(count: try database.plain.count(found), latencies: latencies)
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        { [self] in
            var latencies = [Int64](repeating: 0, count: size)
            var found = 0
            for index in 0..<size {
                let begin = ProcessTime.nanoseconds
                let (text, start) = (words[index % words.count], starts[index])
                var descriptor = FetchDescriptor<Trip>(
                    predicate: #Predicate { $0.name.localizedStandardContains(text) && $0.startDate >= start },
                    sortBy: [SortDescriptor(\.startDate)])
                descriptor.fetchLimit = 50
                found += try ModelContext(database.container).fetch(descriptor).count
                latencies[index] = ProcessTime.nanoseconds - begin
            }
            return Outcome(count: found, latencies: latencies)
        }
    }
}
