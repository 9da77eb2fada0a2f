import StrataModels

/// An observer that is kept up to date in the isolation of its owner.
protocol UpdatedObserver: AnyObject, SendableMetatype {
    /// Takes note of a transaction, each one once; returns whether it may have changed what is shown.
    func isConcerned(by transaction: DefaultHistoryTransaction) -> Bool
    /// Reads again what is shown.
    ///
    /// - Returns: whether it is to be tried again soon although nothing has changed.
    func bringUpToDate() async -> Bool
    /// A part of the history was deleted before it was read: anything may have changed.
    func noteGap()
    /// The history cannot be followed just now.
    func note(_ error: any Error)
}

/// Keeps an observer up to date until it is freed or the container is closed.
///
/// Two tasks work in the observer's isolation. One follows the history and says when something concerns the observer; edits of
/// its context say so too. The other one reads again: once for everything that was said meanwhile. Neither keeps the observer.
final class ObserverUpdates: Sendable {
    private let tasks: [Task<Void, Never>]

    /// - Parameters:
    ///   - start: where the history is followed from: a place before the observer's first reading.
    ///   - changes: woken when something may have changed.
    ///   - seen: how often it had been woken before the first reading.
    ///   - isolation: the observer's.
    init<Observer: UpdatedObserver>(
        of observer: Observer, in container: ModelContainer, after start: DefaultHistoryToken, _ changes: WakeSignal,
        seen: UInt64, _ isolation: any Actor
    ) {
        let held = WeakReference(observer)
        // Detached: what the caller's task stands for, such as a transaction, is not theirs.
        tasks = [
            Task.detached {
                await Self.follow(held, HistoryFollower(container, after: start), container, changes, isolation)
                changes.close()
            },
            Task.detached { await Self.update(held, changes, seen, isolation) },
        ]
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// Commits within this time are read together.
    private static let pause = Duration.milliseconds(25)

    /// Says when a commit concerns the observer.
    private static func follow<Observer: UpdatedObserver>(
        _ held: WeakReference<Observer>, _ follower: HistoryFollower, _ container: ModelContainer,
        _ changes: WakeSignal, _ isolation: isolated any Actor
    ) async {
        var follower = follower
        var retry = ReconnectDelay()
        var deadline: ContinuousClock.Instant?
        while !Task.isCancelled {
            do {
                switch try await follower.next(until: deadline) {
                case .ended: return
                case .timedOut: break
                case .page(let page):
                    guard let observer = held.object else { return }
                    let concerns = page.transactions.count(where: observer.isConcerned)
                    if deadline == nil, concerns > 0 { deadline = .now + pause }
                }
                // The observer says that it is not up to date until it has read again.
                if retry.hasFailed { deadline = .now }
                retry.reset()
            } catch is CancellationError {
                return
            } catch {
                do {
                    guard case SwiftDataError.historyTokenExpired = error else { throw error }
                    // The place first: what is committed from then on is not missed by the reading.
                    follower.move(to: try await container.currentHistoryToken())
                    held.object?.noteGap()
                    deadline = .now
                } catch {
                    held.object?.note(error)
                }
                guard (try? await Task.sleep(for: retry.next())) != nil else { return }
            }
            if let due = deadline, due <= .now {
                deadline = nil
                changes.wake()
            }
        }
    }

    /// Reads again after every change.
    private static func update<Observer: UpdatedObserver>(
        _ held: WeakReference<Observer>, _ changes: WakeSignal, _ seen: UInt64, _ isolation: isolated any Actor
    ) async {
        var seen = seen
        var retry = ReconnectDelay()
        var pause: Duration?
        while let outcome = try? await changes.wait(after: seen, timeout: pause), outcome != .closed {
            seen = changes.count
            guard let isToBeTriedAgain = await held.object?.bringUpToDate() else { return }
            pause = isToBeTriedAgain ? retry.next() : nil
            if !isToBeTriedAgain { retry.reset() }
        }
    }
}
