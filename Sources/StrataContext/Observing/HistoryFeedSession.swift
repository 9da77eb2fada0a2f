import Foundation
import StrataClient
import StrataRepository

/// What a feed does with one connection: listen, look, wake.
struct HistoryFeedSession {
    private let feed: HistoryFeed
    private let connection: PostgresConnection
    private let epoch: Int
    private var listensTo: Set<String> = []
    /// Whether the server delivers notifications to this connection.
    private var hearsNotifications = false
    /// Whether every writer that does not use the library can notify: not where transactions may be prepared.
    private var everybodyNotifies = false
    /// The server's transactions when they were last looked at: as long as they are the same, none has ended.
    private var snapshot: HistorySnapshot?
    private var nextPoll = ContinuousClock.now
    /// Further looks after a wake-up: a writer that did not notify, because another was just about to, may commit later.
    private var furtherLooks: [ContinuousClock.Instant] = []

    private static let pollWhenTold = Duration.seconds(1)
    private static let pollWhenNotTold = Duration.milliseconds(80)

    init(_ feed: HistoryFeed, _ connection: PostgresConnection, _ epoch: Int) {
        self.feed = feed
        self.connection = connection
        self.epoch = epoch
    }

    /// Runs until the task is cancelled or the connection is lost.
    mutating func run() async throws {
        try await examine()
        _ = try await lookForEnds()
        while true {
            try Task.checkCancellation()
            try await serveSubscribers()
            let now = ContinuousClock.now
            if let due = furtherLooks.first, due <= now {
                furtherLooks.removeFirst()
                if try await lookForEnds() { feed.wakeAll() }
            }
            if nextPoll <= now {
                nextPoll = .now + pollInterval
                if try await lookForEnds() { feed.wakeAll() }
            }
            try await waitForNews(until: min(nextPoll, furtherLooks.first ?? nextPoll))
        }
    }

    // MARK: Looking

    /// A standby cannot listen, and a pooler in transaction mode says it does and then delivers nothing, or what it delivers is heard by others:
    /// so it is tried. Where another process answers than the connection's own, a pooler stands between, and it is not: while nobody else does
    /// anything, PgBouncer gives all statements to one process and even delivers, and the process goes on listening for whoever has it then.
    private mutating func examine() async throws {
        var isStandby = false
        var everybodyNotifies = false
        var process: Int32 = 0
        try await connection.run(
            HistoryWatch.examining {
                isStandby = $0
                everybodyNotifies = $1
                process = $2
            })
        guard !isStandby else { return }
        self.everybodyNotifies = everybodyNotifies
        if process == connection.backendID { try await tryNotifications() }
        if !hearsNotifications {
            feed.logger.notice(
                "Observing history: the server's notifications do not arrive, as behind a pooler in transaction mode; history is looked at again and again instead. Give ModelConfiguration.directURL a URL that leads to the server itself."
            )
        }
    }

    private mutating func tryNotifications() async throws {
        let channel = "strata_test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await connection.listen(channel)
        try await connection.run(HistoryWatch.notification(to: channel))
        let deadline = ContinuousClock.now + .seconds(1)
        while !hearsNotifications {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard let heard = try await connection.waitForNotification(timeout: rest) else { break }
            hearsNotifications = heard.channel == channel
        }
        try await connection.unlisten(channel)
    }

    /// Whether a transaction may have ended since the last look.
    private mutating func lookForEnds() async throws -> Bool {
        var seen: HistorySnapshot?
        try await connection.run(HistoryWatch.looking { seen = $0 })
        defer { snapshot = seen }
        return seen != snapshot
    }

    private var pollInterval: Duration {
        let chosen = feed.state.withLock { $0.subscribers.values.compactMap(\.pollInterval).min() }
        return chosen ?? (hearsNotifications && everybodyNotifies ? Self.pollWhenTold : Self.pollWhenNotTold)
    }

    // MARK: Serving

    /// Listens to what subscribers want to hear, and sends what is to be sent.
    private mutating func serveSubscribers() async throws {
        let (wanted, outbox) = try change { state in
            state.isInterrupted = false
            state.isConnected = true
            defer { state.outbox.removeAll() }
            return (Set(state.subscribers.values.map(\.channel)), state.outbox)
        }
        for channel in outbox { try await connection.run(HistoryWatch.notification(to: channel)) }
        if hearsNotifications {
            for channel in listensTo.subtracting(wanted) { try await connection.unlisten(channel) }
            for channel in wanted.subtracting(listensTo) { try await connection.listen(channel) }
            listensTo = wanted
        }
        let fresh = try change { state in
            var fresh: [WakeSignal] = []
            for (id, subscriber) in state.subscribers where !subscriber.isServed && wanted.contains(subscriber.channel)
            {
                state.subscribers[id]?.isServed = true
                fresh.append(subscriber.signal)
            }
            return fresh
        }
        guard !fresh.isEmpty else { return }
        nextPoll = min(nextPoll, .now + pollInterval)
        for signal in fresh { signal.wake() }
    }

    /// Looks at the feed's state, or changes it. The last subscriber may have gone just now, and another may have come: then
    /// that is another task's business.
    private func change<Result: Sendable>(_ body: (inout HistoryFeed.State) -> Result) throws -> Result {
        guard let result = feed.inEpoch(epoch, body) else { throw CancellationError() }
        return result
    }

    // MARK: Waiting

    private mutating func waitForNews(until deadline: ContinuousClock.Instant) async throws {
        let timeout = max(.zero, ContinuousClock.now.duration(to: deadline))
        let connection = connection
        let wait = Task { try await connection.waitForNotification(timeout: timeout) }
        do {
            try change { state in
                // Whatever came since the subscribers were served is not waited for.
                if state.isInterrupted { wait.cancel() } else { state.wait = wait }
            }
        } catch {
            wait.cancel()
            // The connection is closed after this, and must not be in use any more.
            _ = await wait.result
            throw error
        }
        let result = await withCancellationHandler {
            await wait.result
        } onCancel: {
            wait.cancel()
        }
        try change { $0.wait = nil }
        guard case .success(let first) = result else {
            if case .failure(let error) = result, !(error is CancellationError) { throw error }
            return
        }
        guard let first else { return }
        var heard = first
        var channels: Set<String> = []
        repeat {
            // Who wrote in this process was told directly.
            if heard.backendID != connection.backendID { channels.insert(heard.channel) }
            guard let next = try await connection.waitForNotification(timeout: .zero) else { break }
            heard = next
        } while true
        guard !channels.isEmpty else { return }
        for channel in channels { feed.wake(channel) }
        let now = ContinuousClock.now
        furtherLooks = [now + .milliseconds(50), now + .milliseconds(200)]
    }
}
