import Foundation
import PlainClient
import Strata

/// Runs loads of both sides in turn and compares what they get done.
struct LoadComparison {
    let database: Database
    /// Of trips in the order of their keys; none where no trip is worked on.
    let identifiers: [PersistentIdentifier]
    let repetitions: Int
    /// What is done before each run that writes.
    private let prepare: () throws -> Void

    /// Work on trips.
    init(_ database: Database, repetitions: Int) throws {
        self.database = database
        self.repetitions = repetitions
        let all = try ModelContext(database.container).fetchIdentifiers(FetchDescriptor<Trip>())
        identifiers = all.sorted { $0.databaseKey < $1.databaseKey }
        prepare = { try database.admin.execute("VACUUM trip") }
    }

    /// Work on a queue, which has so many jobs before each run.
    init(_ database: Database, jobs: Int, repetitions: Int) {
        self.database = database
        self.repetitions = repetitions
        identifiers = []
        prepare = { try QueryData.fillQueue(database, jobs: jobs) }
    }

    /// - Parameter share: what part of the C program's throughput there must be.
    func measure(_ name: String, _ title: String, _ run: WorkerRun, share: Double? = nil) throws -> Measurement {
        func prepare() throws { if run.work.isWriting { try self.prepare() } }
        let distance = plain_processor_distance()
        var warmUp = run
        warmUp.seconds = min(1, run.seconds)
        try prepare()
        _ = try warmUp.plain(database, keys: identifiers.count)
        try prepare()
        _ = try warmUp.strata(database, identifiers)
        try prepare()
        var plain = [try run.plain(database, keys: identifiers.count)]
        var strata: [WorkerLoad] = []
        for _ in 0..<repetitions {
            try prepare()
            strata.append(try run.strata(database, identifiers))
            try prepare()
            plain.append(try run.plain(database, keys: identifiers.count))
        }
        let ratio = strata.indices.map { strata[$0].rate / ((plain[$0].rate + plain[$0 + 1].rate) / 2) }.median
        func processor(_ load: WorkerLoad) -> Double { load.processor / Double(load.latencies.count) }
        let processors = strata.map(processor).median / plain.map(processor).median
        var measurement = Measurement(
            name: name, title: title, size: run.workers, unit: "/s", plain: series(plain), strata: series(strata),
            ratio: ratio,
            ratioOfFastest: (strata.map(\.rate).max() ?? 0) / (plain.map(\.rate).max() ?? 1),
            ratioOfProcessor: processors)
        if let share {
            measurement.bars.append(.init(what: "share of the rate", value: ratio, limit: share, isUpper: false))
        }
        measurement.notes.append(
            String(
                format: "processor time an operation, µs: libpq %.1f, Strata %.1f",
                plain.map(processor).median * 1e6, strata.map(processor).median * 1e6))
        measurement.notes.append(
            String(
                format: "from one processor to another and back, ns: before %.0f, after %.0f", distance,
                plain_processor_distance()))
        return measurement
    }

    private func series(_ loads: [WorkerLoad]) -> Series {
        var series = Series(values: loads.map(\.rate), best: loads.map(\.rate).max() ?? 0)
        series.p50 = loads.map { $0.percentile(0.5) }.median
        series.p99 = loads.map { $0.percentile(0.99) }.median
        series.samples = loads.map(\.sample)
        return series
    }
}
