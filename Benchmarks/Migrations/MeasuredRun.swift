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
    }

    /// Through the planner and the runner.
    func planned() throws -> Measurement {
        let scripts = try measured.scripts()
        let phases = Dictionary(
            scripts.flatMap(\.steps).map { ($0.id, $0.phase.rawValue) }, uniquingKeysWith: { first, _ in first })
        let spans = Mutex<[Span]>([])
        let begins = Mutex<[String: ContinuousClock.Instant]>([:])
        let retries = Mutex<[String]>([])
        let runner = MigrationRunner(configuration: configuration, schemaName: "public") { event in
            let now = ContinuousClock.now
            switch event {
            case .checksPassed(_, let count, let duration):
                spans.withLock { $0.append(Span(title: "\(count) checks", phase: "", begin: now - duration, end: now)) }
            case .stepStarted(let step, _): begins.withLock { $0[step] = now }
            case .stepFinished(let step, let title, _, _):
                let begin = begins.withLock { $0[step] } ?? now
                spans.withLock {
                    $0.append(Span(title: "\(step) \(title)", phase: phases[step] ?? "", begin: begin, end: now))
                }
            case .stepRetry(let step, _, _, let reason, _):
                retries.withLock { $0.append("step \(step): \(reason)") }
            default: break
            }
        }
        var measurement = try measure("planned") {
            try runner.apply(scripts)
            return spans.withLock { $0 }
        }
        measurement.retries = retries.withLock { $0 }
        return measurement
    }

    /// By hand.
    func handWritten() throws -> Measurement {
        try measure("by hand") {
            let session = try Session(configuration)
            defer { session.close() }
            return try measured.prototype(workload).map { step in
                let begin = ContinuousClock.now
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
                return Span(title: step.title, phase: "", begin: begin, end: .now)
            }
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
                readerStall: seconds(reads.longest(from: span.begin, to: span.end)) * 1000,
                writerStall: seconds(writes.longest(from: span.begin, to: span.end)) * 1000)
        }
        return Measurement(
            name: measured.name, way: way, rows: workload.rows, seconds: seconds(begin.duration(to: end)),
            readerStall: seconds(reads.longest(from: begin, to: end)) * 1000,
            writerStall: seconds(writes.longest(from: begin, to: end)) * 1000, reads: reads.samples.count,
            writes: writes.samples.count, failures: reads.failures + writes.failures, retries: [],
            log: Double(try session.number("SELECT (pg_current_wal_lsn() - '0/0')::bigint") - log) / 1e6, steps: steps)
    }
}
