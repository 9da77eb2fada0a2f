#if Metrics
public import Metrics
public import StrataContext
import StrataClient
import Synchronization

/// Figures of a container for swift-metrics, under the names that OpenTelemetry gives to clients of databases.
///
/// ```swift
/// let metrics = StoreMetrics()
/// let container = try await ModelContainer(
///     for: Schema([Trip.self]), configurations: [configuration], observers: [metrics])
/// ```
///
/// | label | what | dimensions |
/// |---|---|---|
/// | `db.client.operation.duration` | timer: a statement, from sending it to its last answer | `db.operation.name`, `db.collection.name`, `db.query.summary`, `error.type` |
/// | `strata.statement.rows` | recorder: rows that a statement returned or changed | the same |
/// | `strata.statement.value_bytes` | counter: bytes of the values that a statement sent and received, without what the protocol adds | the same and `strata.direction`, `sent` or `received` |
/// | `strata.call.duration` | timer: a fetch, a save or a lazy load, with its wait for a connection | `strata.call.kind`, `strata.call.name`, `error.type` |
/// | `db.client.connection.wait_time` | timer: how long such a call waited for its connection | `strata.call.kind` |
/// | `db.client.connection.timeouts` | counter: calls that waited for a connection in vain | `strata.call.kind` |
/// | `strata.lazy_loads` | counter: getters that found their property not loaded | `strata.call.name` |
/// | `strata.conflicts` | counter: saves that failed because somebody else had changed the same property | |
/// | `strata.retries` | counter: work that `withContext` and `read` did again | `error.type` |
/// | `db.client.connection.count` | meter: connections | `db.client.connection.pool.name`, `db.client.connection.state` |
/// | `db.client.connection.max` | meter: the most that asynchronous calls may hold | `db.client.connection.pool.name` |
/// | `db.client.connection.pending_requests` | meter: calls that wait for a connection | `db.client.connection.pool.name` |
/// | `strata.history.lag` | meter: seconds that a consumer is behind | `strata.consumer` |
///
/// The meters have the values of the latest ``record(_:consumers:)``. A dimension that does not apply is empty, so that each
/// label has the same dimensions always. None holds a value of a statement, and each has as many values as the program has
/// queries and classes.
public final class StoreMetrics: StatementObserver {
    private let factory: any MetricsFactory
    private let statements = Mutex<[StatementKey: StatementInstruments]>([:])
    private let known = ObservedStatementCache<StatementInstruments>()
    private let calls = Mutex<[CallKey: any TimerHandler]>([:])
    private let waits: CallWaits
    private let conflicts: Counter

    /// Figures for a backend.
    ///
    /// - Parameter factory: where they go; by default where `MetricsSystem` was bootstrapped to.
    public init(factory: any MetricsFactory = MetricsSystem.factory) {
        self.factory = factory
        waits = CallWaits { kind in
            factory.makeTimer(
                label: "db.client.connection.wait_time",
                dimensions: [("db.system.name", "postgresql"), ("strata.call.kind", kind.label)])
        }
        conflicts = Counter(label: "strata.conflicts", dimensions: [("db.system.name", "postgresql")], factory: factory)
    }

    // MARK: Statements

    private struct StatementKey: Hashable {
        let summary: String
        let operation: String
        let error: String
    }

    /// The backend's own instruments: those of the package take numbers of any type, and convert each.
    private final class StatementInstruments: Sendable {
        let duration: any TimerHandler
        let rows: any RecorderHandler
        let sentBytes: any CounterHandler
        let receivedBytes: any CounterHandler

        init(_ factory: any MetricsFactory, _ dimensions: [(String, String)]) {
            duration = factory.makeTimer(label: "db.client.operation.duration", dimensions: dimensions)
            duration.preferDisplayUnit(.seconds)
            rows = factory.makeRecorder(label: "strata.statement.rows", dimensions: dimensions, aggregate: true)
            func valueBytes(_ direction: String) -> any CounterHandler {
                factory.makeCounter(
                    label: "strata.statement.value_bytes", dimensions: dimensions + [("strata.direction", direction)])
            }
            (sentBytes, receivedBytes) = (valueBytes("sent"), valueBytes("received"))
        }
    }

    /// A statement has been answered, or has failed.
    public func didComplete(_ statement: ObservedStatement) {
        let instruments = known.value(of: statement) { self.instruments(for: statement) }
        instruments.duration.recordNanoseconds(statement.nanoseconds)
        instruments.rows.record(Int64(statement.rows))
        instruments.sentBytes.increment(by: Int64(statement.sentBytes))
        instruments.receivedBytes.increment(by: Int64(statement.receivedBytes))
    }

    /// Statements of one name have the same instruments, whatever their texts.
    private func instruments(for statement: ObservedStatement) -> StatementInstruments {
        let operation = statement.operation
        let key = StatementKey(
            summary: statement.name ?? operation, operation: operation, error: statement.error?.metricType ?? "")
        return statements.withLock { statements in
            if let known = statements[key] { return known }
            let dimensions = [
                ("db.system.name", "postgresql"), ("db.operation.name", operation),
                ("db.collection.name", statement.entity ?? ""), ("db.query.summary", key.summary),
                ("error.type", key.error),
            ]
            let made = StatementInstruments(factory, dimensions)
            statements[key] = made
            return made
        }
    }

    // MARK: Calls

    fileprivate struct CallKey: Hashable {
        let kind: ObservedCall.Kind
        let name: String
        let error: String?

        /// The name tells nearly all calls apart.
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    fileprivate func didConnect(_ kind: ObservedCall.Kind, after wait: Int64) {
        waits[kind].recordNanoseconds(wait)
    }

    fileprivate func didEnd(_ call: ObservedCall, _ duration: Int64, _ error: (any Error)?) {
        let key = CallKey(kind: call.kind, name: call.name, error: error.map(Self.type))
        let timer = calls.withLock { calls in
            if let known = calls[key] { return known }
            let made = factory.makeTimer(
                label: "strata.call.duration",
                dimensions: [
                    ("db.system.name", "postgresql"), ("strata.call.kind", key.kind.label),
                    ("strata.call.name", key.name), ("error.type", key.error ?? ""),
                ])
            made.preferDisplayUnit(.seconds)
            calls[key] = made
            return made
        }
        timer.recordNanoseconds(duration)
        if call.kind == .lazyLoad { count("strata.lazy_loads", "strata.call.name", call.name) }
        guard let error = error as? SwiftDataError else { return }
        if error.code == .conflict { conflicts.increment() }
        if error.underlying?.code == .poolAcquireTimeout {
            count("db.client.connection.timeouts", "strata.call.kind", call.kind.label)
        }
    }

    /// For what is rare: the counter is looked up by the backend.
    private func count(_ label: String, _ dimension: String, _ value: String) {
        Counter(
            label: label, dimensions: [("db.system.name", "postgresql"), (dimension, value)], factory: factory
        ).increment()
    }

    fileprivate static func type(of error: any Error) -> String {
        switch error {
        case let error as SwiftDataError: "\(error.code)"
        case let error as PostgresError: error.metricType
        case is CancellationError: "CancellationError"
        default: "\(Swift.type(of: error))"
        }
    }

    // MARK: Meters

    /// Sets the meters: how the connections of a container are used now, and how far consumers of its history are behind.
    ///
    /// No round trip for the connections. With consumers those of ``ModelContainer/readiness(of:maximumLag:)``.
    /// - Parameters:
    ///   - container: whose connections.
    ///   - consumers: those whose lag is of interest.
    public func record(_ container: ModelContainer, consumers: [HistoryConsumer] = []) async {
        for pool in container.poolUse { record(pool) }
        guard !consumers.isEmpty else { return }
        for consumer in await container.readiness(of: consumers).consumers {
            let lag: Duration? =
                switch consumer.state {
                case .upToDate: .zero
                case .behind(let time): time
                case .new, .expired, .unknown: nil
                }
            guard let lag else { continue }
            meter("strata.history.lag", [("strata.consumer", consumer.name)]).set(lag / .seconds(1))
        }
    }

    /// Sets the meters again and again until the task is cancelled.
    ///
    /// - Parameters:
    ///   - container: whose connections.
    ///   - consumers: those whose lag is of interest.
    ///   - interval: the time from one round to the next.
    public func keepRecording(
        _ container: ModelContainer, consumers: [HistoryConsumer] = [], every interval: Duration = .seconds(10)
    ) async {
        while !Task.isCancelled {
            await record(container, consumers: consumers)
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }

    private func record(_ pool: PoolUse) {
        let name = ("db.client.connection.pool.name", pool.name)
        let state = "db.client.connection.state"
        meter("db.client.connection.count", [name, (state, "used")]).set(pool.inUse)
        meter("db.client.connection.count", [name, (state, "idle")]).set(pool.open - pool.inUse)
        meter("db.client.connection.max", [name]).set(pool.maximum)
        meter("db.client.connection.pending_requests", [name]).set(pool.waiting)
    }

    private func meter(_ label: String, _ dimensions: [(String, String)]) -> Meter {
        Meter(label: label, dimensions: [("db.system.name", "postgresql")] + dimensions, factory: factory)
    }
}

extension StoreMetrics: CallObserver {
    package func didBegin(_ call: ObservedCall) -> any CallInProgress {
        MeasuredCall(call, self)
    }

    package func willRepeat(after error: any Error) {
        count("strata.retries", "error.type", Self.type(of: error))
    }
}

private final class MeasuredCall: CallInProgress {
    private let call: ObservedCall
    private let metrics: StoreMetrics
    private let begin = MonotonicTime.now
    /// A call may have several connections, one after the other: the later ones it does not wait for from its beginning.
    private let hasConnected = Atomic(false)

    init(_ call: ObservedCall, _ metrics: StoreMetrics) {
        self.call = call
        self.metrics = metrics
    }

    var comment: String? { nil }

    func didConnect() {
        guard !hasConnected.exchange(true, ordering: .relaxed) else { return }
        metrics.didConnect(call.kind, after: begin.nanoseconds(to: .now))
    }

    func didComplete(_ statement: ObservedStatement) { metrics.didComplete(statement) }

    func didEnd(_ error: (any Error)?) {
        metrics.didEnd(call, begin.nanoseconds(to: .now), error)
    }
}

/// A timer for each kind of call, found without hashing.
private struct CallWaits: Sendable {
    private let read: any TimerHandler
    private let save: any TimerHandler
    private let lazyLoad: any TimerHandler

    init(_ make: (ObservedCall.Kind) -> any TimerHandler) {
        (read, save, lazyLoad) = (make(.read), make(.save), make(.lazyLoad))
    }

    subscript(kind: ObservedCall.Kind) -> any TimerHandler {
        switch kind {
        case .read: read
        case .save: save
        case .lazyLoad: lazyLoad
        }
    }
}

extension ObservedCall.Kind {
    fileprivate var label: String {
        switch self {
        case .read: "read"
        case .save: "save"
        case .lazyLoad: "lazy_load"
        }
    }
}

extension PostgresError {
    /// The SQLSTATE, or the client's code where the server has said none.
    fileprivate var metricType: String { sqlState ?? "\(code)" }
}
#endif
