import Synchronization

/// What the observers of one container share: wake-ups, and fetches of history.
final class HistoryObservation: Sendable {
    /// Keeps the wake-ups coming; ends with its last reference.
    final class Observer: Sendable {
        private let observation: HistoryObservation

        fileprivate init(_ observation: HistoryObservation) {
            self.observation = observation
        }

        deinit { observation.end() }
    }

    private struct State {
        var observers = 0
        var subscriptions: [HistoryFeed.Subscription] = []
    }

    let signal = WakeSignal()
    let reader = HistoryReader()
    private let stores: [Store]
    private let state = Mutex(State())

    init(_ stores: [Store]) {
        self.stores = stores
    }

    /// The first observer makes the process listen.
    func begin() -> Observer {
        state.withLock { state in
            state.observers += 1
            guard state.observers == 1, !signal.isClosed else { return }
            state.subscriptions = stores.map { store in
                store.feed.subscribe(
                    signal, to: store.historyChannel, pollInterval: store.configuration.historyPollInterval)
            }
        }
        return Observer(self)
    }

    private func end() {
        state.withLock { state in
            state.observers -= 1
            if state.observers == 0 { state.subscriptions.removeAll() }
        }
    }

    /// The container is closed: every sequence ends.
    func close() {
        signal.close()
        state.withLock { $0.subscriptions.removeAll() }
    }
}
