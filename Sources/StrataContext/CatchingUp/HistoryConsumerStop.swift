/// Ends consumers of a container between two of their transactions: nothing is broken off, nothing new is begun.
package final class HistoryConsumerStop: Sendable {
    private let container: ModelContainer
    /// Closed when the end is asked for.
    private let signal = WakeSignal()

    package init(_ container: ModelContainer) {
        self.container = container
    }

    /// Asks for the end. A consumer that waits for commits wakes up.
    package func ask() {
        signal.close()
        container.observation.signal.wake()
    }

    var isAskedFor: Bool { signal.isClosed }

    /// Waits for this long, or until the end is asked for.
    func sleep(for duration: Duration) async throws {
        _ = try await signal.wait(after: signal.count, timeout: duration)
    }
}
