import Foundation
import PlainClient
import Strata

/// What many workers did in a time.
struct WorkerLoad {
    var rate: Double
    var processor: Double
    /// Nanoseconds, sorted.
    var latencies: [Int64]

    func percentile(_ part: Double) -> Double {
        latencies.isEmpty ? 0 : Double(latencies[Int(Double(latencies.count - 1) * part)]) / 1000
    }

    var sample: Sample {
        Sample(
            elapsed: 1 / rate, processor: processor, release: 0, median: percentile(0.5),
            percentile99: percentile(0.99))
    }
}

/// W10 and its relatives: workers that each do the same again and again. None waits for another's rows: of trips each has its own, and
/// jobs that another has taken are passed over.
struct WorkerRun {
    /// What a worker does.
    enum Work {
        /// Reads a trip.
        case lookUp
        /// Reads a trip, changes it and saves.
        case change
        /// Takes the first job of a queue that nobody else has, and finishes it.
        case takeJob

        var isWriting: Bool { self != .lookUp }

        fileprivate var plain: plain_work {
            switch self {
            case .lookUp: plain_work_look_up
            case .change: plain_work_change
            case .takeJob: plain_work_job
            }
        }
    }

    /// How Strata's workers run.
    enum Form: String {
        /// Tasks, with the asynchronous calls, on the threads that wait for the database.
        case executor
        /// Tasks, with the asynchronous calls, on Swift's own threads.
        case tasks
        /// Threads, with the blocking calls.
        case threads
    }

    var workers: Int
    var seconds: Double
    var work: Work
    var form = Form.executor

    /// The number of a run's first change. No run writes what another has written: a history does not record what stays the same.
    private static var firstChange: Int64 { ProcessTime.nanoseconds / 1000 }

    func plain(_ database: Database, keys: Int) throws -> WorkerLoad {
        // Enough for 40,000 operations a second and worker.
        let capacity = Int(seconds * 40_000) + 1000
        var nanoseconds = [Int64](repeating: 0, count: workers * capacity)
        var counts = [Int64](repeating: 0, count: workers)
        var load = plain_load()
        let outcome = plain_run_load(
            database.url, Int32(workers), seconds, Int64(keys), work.plain, Self.firstChange, &load, &nanoseconds,
            Int64(capacity), &counts)
        guard outcome == 0 else { throw BenchmarkFailure.ofPlainClient }
        var latencies: [Int64] = []
        for worker in 0..<workers {
            latencies += nanoseconds[worker * capacity..<worker * capacity + Int(counts[worker])]
        }
        return WorkerLoad(
            rate: Double(load.operations) / load.seconds, processor: load.processor_seconds,
            latencies: latencies.sorted())
    }

    /// - Parameter identifiers: of trips in the order of their keys.
    func strata(_ database: Database, _ identifiers: [PersistentIdentifier]) throws -> WorkerLoad {
        let processor = ProcessTime.processor
        let start = ProcessTime.now
        let deadline = ProcessTime.nanoseconds + Int64(seconds * 1e9)
        let latencies: [Int64]
        switch form {
        case .executor, .tasks:
            let container = database.container
            latencies = try waitFor { try await self.tasks(container, identifiers, deadline) }
        case .threads:
            latencies = try threads(database.container, identifiers, deadline)
        }
        let elapsed = ProcessTime.now - start
        return WorkerLoad(
            rate: Double(latencies.count) / elapsed, processor: ProcessTime.processor - processor,
            latencies: latencies.sorted())
    }

    private func tasks(
        _ container: ModelContainer, _ identifiers: [PersistentIdentifier], _ deadline: Int64
    ) async throws -> [Int64] {
        let firstChange = Self.firstChange
        let executor = form == .executor ? ModelContainer.taskExecutor : nil
        return try await withThrowingTaskGroup(of: [Int64].self) { group in
            for number in 0..<workers {
                let worker = Worker(
                    container: container, identifiers: identifiers, number: number, of: workers, work: work,
                    firstChange: firstChange)
                group.addTask(executorPreference: executor) { try await worker.run(until: deadline) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func threads(
        _ container: ModelContainer, _ identifiers: [PersistentIdentifier], _ deadline: Int64
    ) throws -> [Int64] {
        let firstChange = Self.firstChange
        let results = Results()
        let group = DispatchGroup()
        for number in 0..<workers {
            let worker = Worker(
                container: container, identifiers: identifiers, number: number, of: workers, work: work,
                firstChange: firstChange)
            group.enter()
            let thread = Thread {
                results.add(Result { try worker.run(until: deadline) })
                group.leave()
            }
            thread.start()
        }
        group.wait()
        return try results.all()
    }
}

/// What threads hand back.
// Unchecked: the lock protects the array.
private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Result<[Int64], any Error>] = []

    func add(_ result: Result<[Int64], any Error>) {
        lock.withLock { results.append(result) }
    }

    func all() throws -> [Int64] {
        try lock.withLock { try results.flatMap { try $0.get() } }
    }
}

/// One of many that work at the same time.
private struct Worker: Sendable {
    let container: ModelContainer
    let identifiers: [PersistentIdentifier]
    let number: Int
    let workers: Int
    let work: WorkerRun.Work
    let firstChange: Int64

    init(
        container: ModelContainer, identifiers: [PersistentIdentifier], number: Int, of workers: Int,
        work: WorkerRun.Work,
        firstChange: Int64
    ) {
        self.container = container
        self.identifiers = identifiers
        self.number = number
        self.workers = workers
        self.work = work
        self.firstChange = firstChange
    }

    @concurrent func run(until deadline: Int64) async throws -> [Int64] {
        var latencies: [Int64] = []
        var seed = UInt64(number * 7919 + 1)
        var start = ProcessTime.nanoseconds
        while start < deadline {
            if work == .takeJob {
                try await takeJob()
            } else {
                try await operate(on: choose(&seed), change: firstChange + Int64(latencies.count))
            }
            let end = ProcessTime.nanoseconds
            latencies.append(end - start)
            start = end
        }
        return latencies
    }

    func run(until deadline: Int64) throws -> [Int64] {
        var latencies: [Int64] = []
        var seed = UInt64(number * 7919 + 1)
        var start = ProcessTime.nanoseconds
        while start < deadline {
            try operate(on: choose(&seed), change: firstChange + Int64(latencies.count))
            let end = ProcessTime.nanoseconds
            latencies.append(end - start)
            start = end
        }
        return latencies
    }

    private func choose(_ seed: inout UInt64) -> PersistentIdentifier {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let own = identifiers.count / workers
        return identifiers[Int(seed >> 33) % own * workers + number]
    }

    private func operate(on identifier: PersistentIdentifier, change: Int64) async throws {
        let context = ModelContext(container)
        guard let trip = try await context.model(for: identifier) as? Trip else {
            throw BenchmarkFailure("The row is missing.")
        }
        guard work.isWriting else { return }
        trip.destination = "Changed \(change)"
        try await context.save()
    }

    private func takeJob() async throws {
        let context = ModelContext(container)
        try await context.transaction {
            var next = FetchDescriptor<QueuedJob>(
                predicate: #Predicate { $0.state == 0 }, sortBy: [SortDescriptor(\.number)])
            next.fetchLimit = 1
            next.lock = .skipLocked
            guard let job = try await context.fetch(next).first else { throw BenchmarkFailure("The queue is empty.") }
            job.state = 1
        }
    }

    private func operate(on identifier: PersistentIdentifier, change: Int64) throws {
        let context = ModelContext(container)
        guard let trip = try context.model(for: identifier) as? Trip else {
            throw BenchmarkFailure("The row is missing.")
        }
        guard work.isWriting else { return }
        trip.destination = "Changed \(change)"
        try context.save()
    }
}

// Unchecked: written before a semaphore is signalled, read after.
private final class ResultBox<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}

/// Runs asynchronous work from a thread that has nothing else to do.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let box = ResultBox<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do { box.result = .success(try await work()) } catch { box.result = .failure(error) }
        done.signal()
    }
    done.wait()
    guard let result = box.result else { throw BenchmarkFailure("A task ended without a result.") }
    return try result.get()
}
