#if Service
import Logging
public import ServiceLifecycle
public import StrataContext
public import StrataModels

/// A container as a service of swift-service-lifecycle: it opens, keeps its history within limits, runs consumers of it, and
/// closes at a graceful shutdown when what is under way has ended.
///
/// ```swift
/// var store = ModelContainerService { try await ModelContainer(for: Trip.self) }
/// store.keepHistory(for: .seconds(30 * 86_400))
/// let group = ServiceGroup(
///     services: [store, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
///
/// Put it before the services that use it: a group ends its services from the last to the first, so requests have ended when
/// the container closes. At a graceful shutdown
///
/// 1. each consumer ends the transaction of the history that it handles, and begins no other; pruning stops;
/// 2. connections that somebody still holds, for a transaction of a job for instance, may be used to its end;
/// 3. the connections are closed. Later calls fail.
///
/// 1 and 2 have ``finishing`` together; what takes longer is broken off and rolled back. When a handler throws, the service ends
/// with its error, and 2 and 3 hold for what others have under way. When the service's task is cancelled, everything is broken off at once.
public struct ModelContainerService: Service {
    private let opening: SharedOpening
    private var work: [@Sendable (ModelContainer, HistoryConsumerStop) async throws -> Void] = []
    private var watched: [@Sendable (ModelContainer) -> HistoryConsumer] = []

    /// How long what is under way at a graceful shutdown may take to end, 10 seconds by default.
    public var finishing: Duration

    /// A service that opens a container when it starts, or when ``container`` is first asked for.
    ///
    /// - Parameters:
    ///   - finishing: how long what is under way at a graceful shutdown may take to end.
    ///   - open: opens the container; called once.
    public init(
        finishing: Duration = .seconds(10), opening open: @escaping @Sendable () async throws -> ModelContainer
    ) {
        self.finishing = finishing
        opening = SharedOpening(open)
    }

    /// A service for a container that is open. It closes it in the end.
    public init(_ container: ModelContainer, finishing: Duration = .seconds(10)) {
        self.finishing = finishing
        opening = SharedOpening(container)
    }

    /// The container. The first who asks opens it; all wait for that.
    ///
    /// - Throws: what opening has thrown; `CancellationError` when the task that waits is cancelled, or its service is shut down
    ///   gracefully, before the container is open (see ``withContainer(_:)``).
    public var container: ModelContainer {
        get async throws { try await opening.container() }
    }

    /// Runs `body` with the container once it is open: for another service of the same group.
    ///
    /// ```swift
    /// let meters = ClosureService {
    ///     try await store.withContainer { container in
    ///         await cancelWhenGracefulShutdown { await metrics.keepRecording(container) }
    ///     }
    /// }
    /// ```
    ///
    /// - Returns: what `body` returns; `nil`, without running it, when the group shuts down before the container was open. Were that an
    ///   error, it would be one of the group.
    /// - Throws: what opening has thrown, and what `body` throws; `CancellationError`.
    @discardableResult
    public func withContainer<Result>(_ body: (ModelContainer) async throws -> Result) async throws -> Result? {
        let container: ModelContainer
        do {
            container = try await opening.container()
        } catch
            where !Task.isCancelled && (opening.hasEnded || error is CancellationError && Task.isShuttingDownGracefully)
        {
            return nil
        }
        return try await body(container)
    }

    /// Prunes the history again and again while the service runs, as ``ModelContainer/keepHistory(for:atMost:every:)``.
    ///
    /// - Parameters:
    ///   - age: how long history is kept; `nil` for no limit of age.
    ///   - count: how many changes are kept; `nil` for no limit of size.
    ///   - interval: the time from one round to the next.
    public mutating func keepHistory(
        for age: Duration?, atMost count: Int? = nil, every interval: Duration = .seconds(600)
    ) {
        work.append { container, _ in
            try await cancelWhenGracefulShutdown {
                try await container.keepHistory(for: age, atMost: count, every: interval)
            }
        }
    }

    /// Makes the next partitions and drops old ones again and again while the service runs, as
    /// ``ModelContainer/keepPartitions(ahead:for:of:every:)``.
    ///
    /// - Parameters:
    ///   - ahead: how many periods behind the present one have partitions.
    ///   - age: how long objects are kept; `nil` for ever.
    ///   - types: the classes; all that declare `#Partition` without.
    ///   - interval: the time from one round to the next.
    public mutating func keepPartitions(
        ahead: Int = 3, for age: Duration? = nil, of types: any PersistentModel.Type...,
        every interval: Duration = .seconds(3600)
    ) {
        work.append { container, _ in
            try await cancelWhenGracefulShutdown {
                try await container.keepPartitions(ahead, age, types, every: interval)
            }
        }
    }

    /// Runs a consumer of the history while the service runs, as ``HistoryConsumer/run(handler:reload:)``.
    ///
    /// What the handler throws ends the service with that error.
    /// - Parameters:
    ///   - name: names the consumer in the store; the same in every process that runs it.
    ///   - types: only transactions that changed objects of these classes or their subclasses; all without.
    ///   - limit: how many transactions are handled in one.
    ///   - handler: see ``HistoryConsumer/catchUp(handler:reload:)``.
    ///   - reload: see ``HistoryConsumer/catchUp(handler:reload:)``.
    public mutating func consumeHistory(
        _ name: String, of types: any PersistentModel.Type..., limit: Int = 256,
        handler: @escaping HistoryConsumer.Handler, reload: HistoryConsumer.Reload? = nil
    ) {
        let consumer = { @Sendable (container: ModelContainer) in
            container.historyConsumer(name, of: types, limit: limit)
        }
        watched.append(consumer)
        work.append { container, stop in
            try await consumer(container).run(handler: handler, reload: reload, until: stop)
        }
    }

    /// Whether the service can serve now: for the probe of a load balancer.
    ///
    /// No round trip while the container is being opened or closed, and those of
    /// ``ModelContainer/readiness(of:maximumLag:)`` between.
    /// - Parameter maximumLag: the longest that one of the service's consumers may be behind; `nil` when that keeps it from
    ///   nothing.
    public func readiness(maximumLag: Duration? = nil) async -> ServiceReadiness {
        switch opening.state {
        case .idle, .opening: return .opening
        case .failed(let error): return .failed(error)
        case .ended: return .ended
        case .open(let container):
            return .open(await container.readiness(of: watched.map { $0(container) }, maximumLag: maximumLag))
        }
    }

    /// Opens the container and works until the group shuts down or the task is cancelled, then closes it.
    ///
    /// - Throws: what opening, pruning or a handler has thrown; `CancellationError`.
    public func run() async throws {
        guard let container = try await opened() else { return }
        let deadline: ContinuousClock.Instant
        do {
            deadline = try await work(with: container)
        } catch {
            // A handler has failed: what others have under way has nothing to do with it.
            await close(container, within: Task.isCancelled ? .zero : finishing)
            throw error
        }
        await close(container, within: max(.zero, ContinuousClock.now.duration(to: deadline)))
    }

    /// `nil` when the group shuts down before the container was open.
    private func opened() async throws -> ModelContainer? {
        do {
            return try await opening.container()
        } catch {
            opening.end()
            guard Task.isShuttingDownGracefully, !Task.isCancelled else { throw error }
            await opening.settle(within: finishing)
            return nil
        }
    }

    private enum Event {
        case workEnded
        case shutdown
        case outOfTime
    }

    /// Works until a graceful shutdown, and lets what is under way end. Returns when everything must have ended.
    private func work(with container: ModelContainer) async throws -> ContinuousClock.Instant {
        let stop = HistoryConsumerStop(container)
        return try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask {
                try await gracefulShutdown()
                return .shutdown
            }
            for work in work {
                group.addTask {
                    try await work(container, stop)
                    return .workEnded
                }
            }
            var underWay = work.count
            var deadline: ContinuousClock.Instant?
            while deadline == nil || underWay > 0, let event = try await group.next() {
                switch event {
                case .workEnded:
                    underWay -= 1
                case .shutdown:
                    opening.end()
                    stop.ask()
                    let end = ContinuousClock.now + finishing
                    deadline = end
                    group.addTask {
                        try await Task.sleep(until: end)
                        return .outOfTime
                    }
                case .outOfTime:
                    container.logger.warning(
                        "Work on the history was broken off: it did not end within the time that a shutdown has.",
                        metadata: ["underWay": "\(underWay)", "finishing": "\(finishing)"])
                    group.cancelAll()
                    // Broken off, by our own doing: what they throw is no failure of the service.
                    while underWay > 0, let result = await group.nextResult() {
                        if case .success(.shutdown) = result { continue }
                        underWay -= 1
                    }
                }
            }
            group.cancelAll()
            return deadline ?? .now
        }
    }

    private func close(_ container: ModelContainer, within limit: Duration) async {
        opening.end()
        await container.close(within: limit)
    }
}
#endif
