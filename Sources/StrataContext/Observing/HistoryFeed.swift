import Foundation
import Logging
import StrataClient
import Synchronization

/// Learns that something may have been committed in one database, for everybody in this process who wants to know.
///
/// One connection of its own, held while there is a subscriber: it listens to the channels of the subscribers' stores, and
/// looks from time to time whether any transaction has ended that nobody told of (``HistoryFeedSession``). What was
/// committed is not its business: a subscriber that is woken reads history from its token on.
final class HistoryFeed: Sendable {
    /// Ends with ``cancel()`` or with its last reference.
    final class Subscription: Sendable {
        private let feed: HistoryFeed
        private let id: Int

        fileprivate init(_ feed: HistoryFeed, _ id: Int) {
            (self.feed, self.id) = (feed, id)
        }

        deinit { cancel() }

        func cancel() { feed.unsubscribe(id) }
    }

    struct Subscriber {
        let channel: String
        let signal: WakeSignal
        let pollInterval: Duration?
        /// Woken once the feed had its channel: a commit before that had nobody to tell of it.
        var isServed = false
    }

    struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastID = 0
        var task: Task<Void, Never>?
        /// Counts the tasks: one that was cancelled may go on for a moment, and has no say any more.
        var epoch = 0
        /// Whether the feed's connection can carry notifications out.
        var isConnected = false
        /// Channels to notify on the feed's connection.
        var outbox: Set<String> = []
        /// What the feed waits with; cancelled when there is something to do.
        var wait: Task<PostgresNotification?, any Error>?
        var isInterrupted = false
    }

    let configuration: PostgresConfiguration
    let limits: AnswerLimits
    let logger: Logger
    let state = Mutex(State())

    private init(_ server: Server, logger: Logger) {
        configuration = server.configuration
        limits = server.limits
        self.logger = logger
    }

    // MARK: One a database and process

    /// How a database is reached, and how long its answers are waited for.
    private struct Server: Hashable {
        var configuration: PostgresConfiguration
        var limits: AnswerLimits
    }

    private struct Reference {
        weak var feed: HistoryFeed?
    }

    private static let feeds = Mutex<[Server: Reference]>([:])

    /// The process's feed for a database, reached in this way.
    static func shared(
        for server: PostgresConfiguration, limits: AnswerLimits = .short, logger: Logger
    ) -> HistoryFeed {
        // How a store prepares statements, and whether it may write, makes no other database of it.
        var configuration = PostgresConfiguration(options: server.options)
        configuration.preparedStatements = .unnamed
        let key = Server(configuration: configuration, limits: limits)
        return feeds.withLock { feeds in
            if let feed = feeds[key]?.feed { return feed }
            let feed = HistoryFeed(key, logger: logger)
            feeds = feeds.filter { $0.value.feed != nil }
            feeds[key] = Reference(feed: feed)
            return feed
        }
    }

    // MARK: Subscribing

    /// Wakes `signal` soon after every commit that touched the store of `channel`, and sometimes for nothing.
    ///
    /// - Parameter pollInterval: how often to look without being told; `nil` for what fits the server.
    func subscribe(_ signal: WakeSignal, to channel: String, pollInterval: Duration?) -> Subscription {
        let id = state.withLock { state in
            state.lastID += 1
            state.subscribers[state.lastID] = Subscriber(channel: channel, signal: signal, pollInterval: pollInterval)
            if state.task == nil {
                state.epoch += 1
                // A wish that the task before was to see is seen by this one anyway.
                state.isInterrupted = false
                state.wait = nil
                state.task = Task.detached { [weak self, epoch = state.epoch] in await Self.run(self, epoch) }
            } else {
                Self.interrupt(&state)
            }
            return state.lastID
        }
        return Subscription(self, id)
    }

    fileprivate func unsubscribe(_ id: Int) {
        state.withLock { state in
            guard state.subscribers.removeValue(forKey: id) != nil else { return }
            if state.subscribers.isEmpty {
                state.task?.cancel()
                state.task = nil
                state.epoch += 1
                state.isConnected = false
                state.outbox.removeAll()
            } else {
                Self.interrupt(&state)
            }
        }
    }

    // MARK: Telling

    /// Wakes the subscribers of a channel in this process.
    func wake(_ channel: String) {
        for signal in signals({ $0.channel == channel }) { signal.wake() }
    }

    func wakeAll() {
        for signal in signals({ _ in true }) { signal.wake() }
    }

    private func signals(_ isMeant: (Subscriber) -> Bool) -> [WakeSignal] {
        state.withLock { state in state.subscribers.values.filter(isMeant).map(\.signal) }
    }

    /// Sends a notification on the feed's connection. False when there is none.
    func send(to channel: String) -> Bool {
        state.withLock { state in
            guard state.isConnected else { return false }
            state.outbox.insert(channel)
            Self.interrupt(&state)
            return true
        }
    }

    /// Makes the feed look at what it has to do.
    private static func interrupt(_ state: inout State) {
        state.isInterrupted = true
        state.wait?.cancel()
    }

    // MARK: Running

    /// Looks at the state, or changes it, for the task of an epoch; `nil` when that is over.
    func inEpoch<Result: Sendable>(_ epoch: Int, _ body: (inout State) -> Result) -> Result? {
        state.withLock { state in state.epoch == epoch ? body(&state) : nil }
    }

    /// Connects, and connects again, until the last subscriber is gone.
    private static func run(_ feed: HistoryFeed?, _ epoch: Int) async {
        guard let feed else { return }
        var delay = ReconnectDelay()
        var isOutageReported = false
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.connect(feed.configuration, limits: feed.limits)
                defer { connection.close() }
                if isOutageReported { feed.logger.notice("Observing history: connected again.") }
                isOutageReported = false
                delay.reset()
                var session = HistoryFeedSession(feed, connection, epoch)
                try await session.run()
            } catch {
                let goesOn: Void? = feed.inEpoch(epoch) { state in
                    state.isConnected = false
                    for id in state.subscribers.keys { state.subscribers[id]?.isServed = false }
                }
                guard goesOn != nil, !Task.isCancelled else { return }
                if !isOutageReported {
                    feed.logger.warning(
                        "Observing history: the connection that learns of commits failed; it is made again, and history is looked at meanwhile.",
                        metadata: ["error": "\(error)"])
                }
                isOutageReported = true
            }
            // The store's own connections may work where this one does not.
            feed.wakeAll()
            try? await Task.sleep(for: delay.next())
        }
    }
}
