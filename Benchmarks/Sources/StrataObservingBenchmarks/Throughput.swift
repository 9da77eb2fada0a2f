import Foundation
import Strata

/// Eight writers, with and without somebody who observes, in turn.
enum Throughput {
    static func measure(_ url: String, seconds: Int) async throws {
        var without: [Double] = []
        var with: [Double] = []
        // The first of each warms up.
        for round in 0..<6 {
            let isObserved = round % 2 == 1
            let rate = try await run(url, seconds: seconds, isObserved: isObserved)
            if round < 2 { continue }
            if isObserved { with.append(rate) } else { without.append(rate) }
        }
        let (plain, observed) = (median(without), median(with))
        print(
            "8 writers: \(Int(plain)) saves/s unobserved, \(Int(observed)) observed by two containers: ratio "
                + String(format: "%.2f", observed / plain))
    }

    private static func run(_ url: String, seconds: Int, isObserved: Bool) async throws -> Double {
        let container = try await Main.container(url)
        let other = try await Main.container(url)
        let observers =
            isObserved
            ? [container, other].map { container in
                Task {
                    for try await transaction in container.history() { _ = transaction.changes.count }
                }
            } : []
        try await Task.sleep(for: .milliseconds(500))
        let end = ContinuousClock.now + .seconds(seconds)
        let saves = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var count = 0
                    while .now < end {
                        let context = ModelContext(container)
                        context.insert(Note("x"))
                        try await context.save()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        for observer in observers { observer.cancel() }
        await container.close()
        await other.close()
        return Double(saves) / Double(seconds)
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
