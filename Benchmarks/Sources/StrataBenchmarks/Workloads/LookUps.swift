import Foundation
import PlainClient
import Strata

/// W4: one object by its identifier, in a context of its own, again and again.
final class LookUps: Workload {
    let name = "W4"
    let title = "look-ups by key, a context each"
    let limit: Double? = 1.2
    let size: Int
    var operations: Int { size }
    private var identifiers: [PersistentIdentifier] = []
    private var keys: [Int64] = []

    init(size: Int) {
        self.size = size
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        try choose(database)
        return { [self] in
            var latencies = [Int64](repeating: 0, count: size)
            let found = plain_look_up(database.plain.raw, keys, Int64(size), &latencies)
            return Outcome(count: try database.plain.count(found), latencies: latencies)
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        try choose(database)
        return { [self] in
            var latencies = [Int64](repeating: 0, count: size)
            var found = 0
            for index in 0..<size {
                let start = ProcessTime.nanoseconds
                let context = ModelContext(database.container)
                if try context.model(for: identifiers[index]) is Trip { found += 1 }
                latencies[index] = ProcessTime.nanoseconds - start
            }
            return Outcome(count: found, latencies: latencies)
        }
    }

    /// The same objects for both, spread over the table.
    private func choose(_ database: Database) throws {
        guard identifiers.isEmpty else { return }
        let all = try ModelContext(database.container).fetchIdentifiers(FetchDescriptor<Trip>())
        identifiers = (0..<size).map { all[($0 * 7919 + 13) % all.count] }
        keys = identifiers.map(\.databaseKey)
    }

    func bars(plain: Series, strata: Series) -> [Measurement.Bar] {
        guard let own = strata.p50, let other = plain.p50 else { return [] }
        return [.init(what: "µs added to the p50", value: own - other, limit: 10)]
    }
}

extension PersistentIdentifier {
    /// The key, as the last part of the description says.
    var databaseKey: Int64 { description.split(separator: "/").last.flatMap { Int64($0) } ?? 0 }
}
