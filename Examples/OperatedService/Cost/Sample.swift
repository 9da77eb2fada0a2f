import Foundation
import Strata

/// One run of a work for some seconds.
struct Sample {
    /// How often it was done in a second.
    let rate: Double
    /// How long the process computed for it once, in seconds.
    let processorTime: Double

    static func take(
        _ work: Work, _ trips: [PersistentIdentifier], _ container: ModelContainer, for duration: Duration
    ) async throws -> Sample {
        let (begin, computed) = (ContinuousClock.now, processorTime())
        let end = begin + duration
        let share = trips.count / work.workers
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<work.workers {
                group.addTask(executorPreference: ModelContainer.taskExecutor) {
                    var next = 0
                    while ContinuousClock.now < end {
                        try await work.run(trips[worker * share + next % share], in: container)
                        next += 1
                    }
                    return next
                }
            }
            return try await group.reduce(0, +)
        }
        let number = Double(count)
        return Sample(
            rate: number / (begin.duration(to: .now) / .seconds(1)),
            processorTime: (processorTime() - computed) / number)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
