import Foundation
import StrataClient
import Synchronization

/// A client of the database beside the migration: one statement by key every 10 ms, each timed.
final class TimedClient: Sendable {
    struct Sample {
        var begin: ContinuousClock.Instant
        var duration: Duration
    }

    struct Record {
        var samples: [Sample] = []
        var failures: [String] = []

        /// The longest wait of a statement that began in the time.
        func longest(from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Duration {
            samples.filter { $0.begin + $0.duration >= begin && $0.begin <= end }.map(\.duration).max() ?? .zero
        }
    }

    private let record = Mutex(Record())
    private let isEnding = Mutex(false)
    private let isDone = DispatchSemaphore(value: 0)

    /// - Parameter sql: a statement of one parameter, a key from 1 to `rows`.
    init(_ configuration: PostgresConfiguration, rows: Int64, _ sql: String) {
        let thread = Thread { [self] in
            run(configuration, rows, sql)
            isDone.signal()
        }
        thread.start()
    }

    func end() -> Record {
        isEnding.withLock { $0 = true }
        isDone.wait()
        return record.withLock { $0 }
    }

    private func run(_ configuration: PostgresConfiguration, _ rows: Int64, _ sql: String) {
        do {
            let connection = try PostgresConnection.connect(configuration)
            defer { connection.close() }
            var next = ContinuousClock.now
            while !isEnding.withLock({ $0 }) {
                let begin = ContinuousClock.now
                do {
                    let parameters = try PostgresParameters(Int64.random(in: 1...rows))
                    try connection.run(PostgresBatch(PostgresStatement(sql, parameters: parameters)) { _ in })
                } catch let error as PostgresError where !error.isConnectionLoss {
                    record.withLock { $0.failures.append(error.message) }
                }
                let end = ContinuousClock.now
                record.withLock { $0.samples.append(Sample(begin: begin, duration: begin.duration(to: end))) }
                next = max(next + .milliseconds(10), end)
                Thread.sleep(forTimeInterval: max(0, seconds(ContinuousClock.now.duration(to: next))))
            }
        } catch {
            record.withLock { $0.failures.append("\(error)") }
        }
    }
}

func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
