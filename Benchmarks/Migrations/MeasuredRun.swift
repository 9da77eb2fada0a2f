import Foundation
import StrataClient
import StrataMigrations
import Synchronization

/// Runs one case in one way on a fresh database, beside a reader and a writer.
struct MeasuredRun {
    let measured: MeasuredCase
    let workload: Workload
    let configuration: PostgresConfiguration

    private struct Span {
        var title: String
        var phase: String
        var begin: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        var processor: Double
    }

    /// What the runner has told so far.
    private struct Told {
        var process: Int32 = 0
        var begin = ContinuousClock.now
        var processor = 0.0
        var spans: [Span] = []
        var retries: [String] = []

        mutating func start() {
            begin = .now
            processor = ServerProcess.processorTime(process)
        }

        mutating func finish(_ title: String, phase: String = "") {
            let used = ServerProcess.processorTime(process) - processor
            spans.append(Span(title: title, phase: phase, begin: begin, end: .now, processor: used))
            start()
        }
    }

    /// Through the planner and the runner.
    func planned() throws -> Measurement {
        let scripts = try measured.scripts()
        let phases = Dictionary(
            scripts.flatMap(\.steps).map { ($0.id, $0.phase.rawValue) }, uniquingKeysWith: { first, _ in first })
        let told = Mutex(Told())
        let runner = MigrationRunner(configuration: configuration, schemaName: "public") { event in
            told.withLock { told in
                switch event {
                case .lockAcquired(let pid):
                    told.process = pid
                    told.start()
                case .checksPassed(_, let count, _): told.finish("\(count) checks")
                case .stepStarted: told.start()
                case .stepFinished(let step, let title, _, _):
                    told.finish("\(step) \(title)", phase: phases[step] ?? "")
                case .stepRetry(let step, _, _, let reason, _): told.retries.append("step \(step): \(reason)")
                default: break
                }
            }
        }
        var measurement = try measure("planned") {
            try runner.apply(scripts)
            return told.withLock { $0.spans }
        }
        measurement.retries = told.withLock { $0.retries }
        return measurement
    }

    /// By hand.
    func handWritten() throws -> Measurement {
        try measure("by hand") {
            let session = try Session(configuration)
            defer { session.close() }
            var told = Told(process: Int32(try session.number("SELECT pg_backend_pid()::bigint")))
            for step in measured.prototype(workload) {
                told.start()
                try session.execute("SET strata.history = '\(step.isBatched ? "off" : "on")'")
                for statement in step.statements {
                    guard step.isBatched else {
                        try session.execute(statement)
                        continue
                    }
                    for range in workload.ranges {
                        try session.execute(
                            statement.replacing("$first", with: "\(range.lowerBound)")
                                .replacing("$last", with: "\(range.upperBound)"))
                    }
                }
                told.finish(step.title)
            }
            return told.spans
        }
    }

    private func measure(_ way: String, _ body: () throws -> [Span]) throws -> Measurement {
        let session = try Session(configuration)
        defer { session.close() }
        try session.execute("CHECKPOINT")
        let log = try session.number("SELECT (pg_current_wal_lsn() - '0/0')::bigint")
        let reader = TimedClient(configuration, rows: workload.rows, "SELECT name FROM trip WHERE pk = $1")
        let writer = TimedClient(
            configuration, rows: workload.rows, "UPDATE trip SET rating = rating + 1 WHERE pk = $1")
        // Both are at work before the first statement.
        Thread.sleep(forTimeInterval: 0.5)
        let begin = ContinuousClock.now
        let outcome = Result { try body() }
        let end = ContinuousClock.now
        let (reads, writes) = (reader.end(), writer.end())
        let steps = try outcome.get().map { span in
            Measurement.Step(
                title: span.title, phase: span.phase, seconds: seconds(span.begin.duration(to: span.end)),
                processor: span.processor,
                readerStall: seconds(reads.longest(from: span.begin, to: span.end)) * 1000,
                writerStall: seconds(writes.longest(from: span.begin, to: span.end)) * 1000)
        }
        return Measurement(
            name: measured.name, way: way, rows: workload.rows, seconds: seconds(begin.duration(to: end)),
            processor: steps.map(\.processor).reduce(0, +),
            readerStall: seconds(reads.longest(from: begin, to: end)) * 1000,
            writerStall: seconds(writes.longest(from: begin, to: end)) * 1000, reads: reads.samples.count,
            writes: writes.samples.count, failures: reads.failures + writes.failures, retries: [],
            log: Double(try session.number("SELECT (pg_current_wal_lsn() - '0/0')::bigint") - log) / 1e6, steps: steps)
    }
}
