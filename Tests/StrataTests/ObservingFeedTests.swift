import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext

/// The connection that learns of commits.
@Suite struct ObservingFeedTests {
    private let logger = Logger(label: "test")

    /// Waits until the signal has been woken for something that happens from now on.
    private func expectWake(
        _ signal: WakeSignal, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async throws {
        let seen = signal.count
        try await body()
        #expect(
            try await signal.wait(after: seen, timeout: .seconds(20)) == .woken, sourceLocation: sourceLocation)
    }

    /// Waits until nobody has woken the signal for a while: connecting and listening do.
    private func settle(_ signal: WakeSignal) async throws {
        #expect(try await signal.wait(after: 0, timeout: .seconds(20)) == .woken)
        while try await signal.wait(after: signal.count, timeout: .milliseconds(300)) == .woken {}
    }

    /// The connections to the database, without the one that asks.
    private func sessions(_ connection: PostgresConnection) async throws -> Int {
        var count = 0
        try await connection.run(
            PostgresBatch(
                PostgresStatement(
                    """
                    SELECT count(*)::integer FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                    """)
            ) { count = Int(try $0.decode(0, as: Int32.self)) })
        return count
    }

    @Test func `a notification from another session wakes the observers of its channel`() async throws {
        try await withTestDatabase { database in
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            let (one, other) = (WakeSignal(), WakeSignal())
            // So seldom that only the notification can be what wakes.
            let subscriptions = [
                feed.subscribe(one, to: "strata_history_1", pollInterval: .seconds(600)),
                feed.subscribe(other, to: "strata_history_2", pollInterval: .seconds(600)),
            ]
            try await settle(one)
            let seen = other.count
            try await expectWake(one) { try await database.execute("NOTIFY strata_history_1") }
            try await expectWake(other) { try await database.execute("NOTIFY strata_history_2") }
            #expect(other.count > seen)
            subscriptions.forEach { $0.cancel() }
        }
    }

    @Test func `what nobody notified of is found by looking`() async throws {
        try await withTestDatabase { database in
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            let signal = WakeSignal()
            let subscription = feed.subscribe(signal, to: "strata_history_1", pollInterval: .milliseconds(20))
            _ = try await signal.wait(after: 0)
            try await expectWake(signal) { try await database.execute("CREATE TABLE t ()") }
            subscription.cancel()
        }
    }

    @Test func `many observers share one connection, which ends with the last`() async throws {
        try await withTestDatabase { database in
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            #expect(HistoryFeed.shared(for: database.configuration, logger: logger) === feed)
            let signal = WakeSignal()
            var subscriptions = (0..<50).map { _ in
                feed.subscribe(signal, to: "strata_history_1", pollInterval: nil)
            }
            let connection = try await database.connect()
            defer { connection.close() }
            try await settle(signal)
            #expect(try await sessions(connection) == 1)
            subscriptions.removeLast(49)
            #expect(try await sessions(connection) == 1)
            subscriptions.removeAll()
            let deadline = ContinuousClock.now + .seconds(20)
            while try await sessions(connection) > 0, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try await sessions(connection) == 0)
        }
    }

    @Test func `a lost connection is made again, and everybody looks then`() async throws {
        try await withTestDatabase { database in
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            let signal = WakeSignal()
            let subscription = feed.subscribe(signal, to: "strata_history_1", pollInterval: .seconds(600))
            try await settle(signal)
            for _ in 0..<3 {
                try await expectWake(signal) {
                    try await database.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """)
                }
                try await settle(signal)
                try await expectWake(signal) { try await database.execute("NOTIFY strata_history_1") }
            }
            subscription.cancel()
        }
    }

    @Test func `who comes just when the last has gone is woken all the same`() async throws {
        try await withTestDatabase { database in
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            var subscription = feed.subscribe(WakeSignal(), to: "strata_history_1", pollInterval: .seconds(600))
            for round in 0..<60 {
                // At all stages of connecting, listening and waiting.
                if round % 3 > 0 { try await Task.sleep(for: .microseconds(round * 500)) }
                subscription.cancel()
                let signal = WakeSignal()
                subscription = feed.subscribe(signal, to: "strata_history_1", pollInterval: .seconds(600))
                // Once it is served, a notification finds it.
                #expect(try await signal.wait(after: 0, timeout: .seconds(20)) == .woken, "round \(round)")
                try await expectWake(signal) { try await database.execute("NOTIFY strata_history_1") }
            }
            subscription.cancel()
        }
    }

    @Test func `a commit of this process wakes its observers directly and other sessions by a notification`()
        async throws
    {
        try await withTestDatabase { database in
            let listener = try await database.connect()
            defer { listener.close() }
            try await listener.listen("strata_history_1")
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            let pool = PostgresPool(configuration: database.configuration)
            let notifier = HistoryNotifier(feed, channel: "strata_history_1", pool: pool, logger: logger)
            // Nobody observes in this process: a connection of the pool carries it.
            notifier.committed()
            #expect(try await listener.waitForNotification(timeout: .seconds(20)) != nil)
            #expect(pool.connectionCount == 1)
            let signal = WakeSignal()
            let subscription = feed.subscribe(signal, to: "strata_history_1", pollInterval: .seconds(600))
            try await settle(signal)
            try await expectWake(signal) { notifier.committed() }
            #expect(try await listener.waitForNotification(timeout: .seconds(20)) != nil)
            subscription.cancel()
            await pool.close()
        }
    }

    @Test func `a burst of commits makes few notifications, and one comes after the last`() async throws {
        try await withTestDatabase { database in
            let listener = try await database.connect()
            defer { listener.close() }
            try await listener.listen("strata_history_1")
            let feed = HistoryFeed.shared(for: database.configuration, logger: logger)
            let pool = PostgresPool(configuration: database.configuration)
            let notifier = HistoryNotifier(feed, channel: "strata_history_1", pool: pool, logger: logger)
            for _ in 0..<10_000 { notifier.committed() }
            var count = 0
            while try await listener.waitForNotification(timeout: .milliseconds(500)) != nil { count += 1 }
            #expect(count >= 2 && count < 1000)
            await pool.close()
        }
    }
}
