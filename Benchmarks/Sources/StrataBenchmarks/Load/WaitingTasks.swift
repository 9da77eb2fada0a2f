import Foundation
import PlainClient
import Strata

/// A thousand tasks that wait for the database: what they cost in threads and memory.
enum WaitingTasks {
    static func measure(_ database: Database, count: Int) throws -> Measurement {
        let container = database.container
        let run: @Sendable () async throws -> Void = {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { _ = try await ModelContext(container).fetchCount(FetchDescriptor<Trip>()) }
                }
                try await group.waitForAll()
            }
        }
        // Opens the pool's connections, and lets the allocator have its share.
        try waitFor(run)
        plain_trim_memory()
        let (threads, memory) = (ProcessMemory.threads, ProcessMemory.current)
        try database.admin.execute("BEGIN", "LOCK TABLE trip IN ACCESS EXCLUSIVE MODE")
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            try await run()
            done.signal()
        }
        Thread.sleep(forTimeInterval: 2)
        let (moreThreads, moreMemory) = (ProcessMemory.threads - threads, ProcessMemory.current - memory)
        try database.admin.execute("COMMIT")
        let start = ProcessTime.now
        done.wait()
        var measurement = Measurement(
            name: "C3", title: "tasks that wait for a lock, then all done", size: count,
            strata: Series(values: [(ProcessTime.now - start) * 1000], best: 0))
        measurement.bars = [
            .init(what: "threads more", value: Double(moreThreads), limit: 4),
            .init(what: "kB of memory a task", value: Double(moreMemory) / 1024 / Double(count), limit: 32),
        ]
        return measurement
    }
}
