public import Foundation
import StrataModels
import Synchronization

extension ModelContainer {
    /// Posted after transactions were committed in a container's database, by whichever context, process or program; `object` is the
    /// container.
    ///
    /// The user info holds the place in the history behind them, an array of ``DefaultHistoryToken``, under
    /// ``ModelContext/NotificationKey/historyTokens``. Transactions that arrive together are one notification.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: ModelContainer.remoteChange, object: container, queue: nil) { notification in … }
    /// ```
    /// Notifications are posted, on a thread of Swift's, from when this name was first asked for in the process. From then on every
    /// open container follows its history, and lives until it is closed. Where that is too much, use a ``HistoryObserver`` or
    /// ``history(after:of:authors:origin:)``. A container whose classes record no history posts nothing.
    public static var remoteChange: Notification.Name { RemoteChangeNotifications.shared.begin() }
}

/// Posts a notification for what is committed, once somebody may listen.
final class RemoteChangeNotifications: Sendable {
    static let shared = RemoteChangeNotifications()
    private static let name = Notification.Name("StrataModelContainerRemoteChange")

    private struct Place {
        weak var container: ModelContainer?
        var task: Task<Void, Never>?
    }

    private struct State {
        var areWanted = false
        var places: [ObjectIdentifier: Place] = [:]
    }

    private let state = Mutex(State())

    /// The name, for somebody who will listen.
    func begin() -> Notification.Name {
        state.withLock { state in
            guard !state.areWanted else { return }
            state.areWanted = true
            for (id, place) in state.places {
                state.places[id]?.task = place.container.map { Self.follow($0) }
            }
        }
        return Self.name
    }

    func opened(_ container: ModelContainer) {
        guard container.stores.contains(where: \.recordsHistory) else { return }
        state.withLock { state in
            state.places[ObjectIdentifier(container)] = Place(
                container: container, task: state.areWanted ? Self.follow(container) : nil)
        }
    }

    /// The container is closed, or gone.
    func ended(_ id: ObjectIdentifier) {
        state.withLock { $0.places.removeValue(forKey: id) }?.task?.cancel()
    }

    private static func follow(_ container: ModelContainer) -> Task<Void, Never> {
        Task.detached {
            var follower = HistoryFollower(container, after: nil)
            var retry = ReconnectDelay()
            while !Task.isCancelled {
                do {
                    do {
                        guard case .page(let page) = try await follower.next() else { return }
                        post(page.token, container)
                    } catch SwiftDataError.historyTokenExpired {
                        let token = try await container.currentHistoryToken()
                        follower.move(to: token)
                        post(token, container)
                    }
                    retry.reset()
                } catch is CancellationError {
                    return
                } catch {
                    container.logger.warning(
                        "Posting ModelContainer.remoteChange: the history could not be read; it is tried again.",
                        metadata: ["error": "\(error)"])
                    guard (try? await Task.sleep(for: retry.next())) != nil else { return }
                }
            }
        }
    }

    private static func post(_ token: DefaultHistoryToken, _ container: ModelContainer) {
        NotificationCenter.default.post(
            name: name, object: container, userInfo: [ModelContext.NotificationKey.historyTokens.rawValue: [token]])
    }
}
