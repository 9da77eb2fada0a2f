import Synchronization

/// Remembers every statement that is sent, for tests that promise round trips.
package final class StatementRecorder: PostgresObserver {
    private let flushesSent = Mutex<[[String]]>([])

    package init() {}

    /// The statements of each flush, in order.
    package var flushes: [[String]] { flushesSent.withLock { $0 } }

    /// All statements, in order.
    package var statements: [String] { flushes.flatMap { $0 } }

    /// How often the client waited for the server.
    package var roundTrips: Int { flushesSent.withLock { $0.count } }

    /// Forgets what was recorded.
    package func reset() {
        flushesSent.withLock { $0.removeAll() }
    }

    package func connection(_ id: Int, didSend statements: [String]) {
        flushesSent.withLock { $0.append(statements) }
    }
}
