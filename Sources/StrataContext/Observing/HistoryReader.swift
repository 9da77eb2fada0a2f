import StrataModels
import Synchronization

/// Reads history for all observers of a container: those at the same place share one fetch.
///
/// A few pages are kept, so that observers who come to a place one after the other need not fetch it each. Nothing else is
/// kept for an observer that is slow: it fetches from where it is.
final class HistoryReader: Sendable {
    struct Reading: Sendable {
        let page: HistoryPage
        /// How often observers had been woken when the fetch began: what was committed before that is in it.
        let wakes: UInt64
    }

    private struct State {
        var underWay: [DefaultHistoryToken: SharedWork<Reading>] = [:]
        var recent: [(after: DefaultHistoryToken, reading: Reading)] = []
    }

    private let state = Mutex(State())
    /// Transactions in one fetch.
    static let pageSize = 256
    private static let keptPages = 4
    /// Changes in a page that is kept.
    private static let keptChanges = 4096

    /// What comes after `token`, as of now or as of a moment ago.
    func read(after token: DefaultHistoryToken, of container: ModelContainer, signal: WakeSignal) async throws
        -> Reading
    {
        while true {
            let (kept, work) = state.withLock { state -> (Reading?, SharedWork<Reading>?) in
                if let kept = state.recent.first(where: { $0.after == token }) { return (kept.reading, nil) }
                if let work = state.underWay[token] { return (nil, work) }
                let work = SharedWork { [self] in try await fetch(after: token, of: container, signal: signal) }
                state.underWay[token] = work
                return (nil, work)
            }
            if let kept { return kept }
            do {
                if let work { return try await work.value() }
            } catch is CancellationError where !Task.isCancelled {
                // All others who waited for it had gone, just before.
                continue
            }
        }
    }

    private func fetch(after token: DefaultHistoryToken, of container: ModelContainer, signal: WakeSignal) async throws
        -> Reading
    {
        defer { state.withLock { _ = $0.underWay.removeValue(forKey: token) } }
        let wakes = signal.count
        let page = try await ModelContext(container).unseenHistory(after: token, limit: Self.pageSize)
        let reading = Reading(page: page, wakes: wakes)
        // An empty page says only that nothing had come until then.
        if !page.transactions.isEmpty, page.transactions.reduce(0, { $0 + $1.changes.count }) <= Self.keptChanges {
            state.withLock { state in
                state.recent.append((token, reading))
                if state.recent.count > Self.keptPages { state.recent.removeFirst() }
            }
        }
        return reading
    }
}
