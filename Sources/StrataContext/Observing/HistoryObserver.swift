public import Observation
public import StrataModels
import Synchronization

/// Counts what is committed, by whomever: its ``eventCounter`` can be observed, and moves when the history has news.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Trip.self], authors: ["colleague"], modelContainer: container)
/// for await count in Observations({ observer.eventCounter }) where count > 0 {
///     token = try await handleNews(after: token)
/// }
/// ```
/// It says that there is something to read, and not what: fetch the history after the token that you keep. Transactions that arrive
/// together are one event. ``ModelContainer/history(after:of:authors:origin:)`` gives the transactions themselves.
///
/// It belongs to an actor, that of whoever makes it, and moves there: observe it there too. What moves beside the task that observes it could
/// do so between that task's look and its waiting, and would be missed.
///
/// It follows the history until it is freed or the container is closed, over lost connections, without asking again and again.
public final class HistoryObserver: Observable, Sendable {
    /// The container whose history is observed.
    public let modelContainer: ModelContainer
    /// The classes of which a transaction must have changed an object, or one of a subclass; any when empty.
    public let observedModels: [any PersistentModel.Type]
    /// Whose transactions count; anybody's when empty.
    public let authors: Set<String>

    private let registrar = ObservationRegistrar()
    private let counter = Atomic(0)
    private let failure = Mutex<(any Error)?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Observes the history; blocks this thread for a round trip a store, unless every store has a token.
    ///
    /// - Parameters:
    ///   - historyTokens: from where on, by the identifier of the store; what is already there is an event at once. A store without
    ///     a token begins with what is committed from now on.
    ///   - observedModels: only transactions that changed objects of these classes; all when empty.
    ///   - authors: only transactions of these authors; all when empty.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to; the caller's.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` outside of any actor, for a class whose history is not recorded, and for a
    ///   token of another kind; `unknownSchema` for a token of a store that the container does not have; `storeFailure`.
    public convenience init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        let isolation = try Self.required(isolation)
        var start = try Self.start(historyTokens, in: modelContainer)
        try modelContainer.refusal(toObserve: observedModels).map { throw $0 }
        if modelContainer.stores.contains(where: { start.positions[$0.identifier] == nil }) {
            start = start.filled(from: try modelContainer.currentHistoryToken())
        }
        self.init(after: start, observedModels, authors, modelContainer, isolation)
    }

    /// What asynchronous callers get as `init`: see the module Strata.
    package convenience init(
        suspending historyTokens: [String: any HistoryToken]?, _ observedModels: [any PersistentModel.Type],
        _ authors: Set<String>, _ modelContainer: ModelContainer, _ isolation: isolated (any Actor)?
    ) async throws {
        let isolation = try Self.required(isolation)
        var start = try Self.start(historyTokens, in: modelContainer)
        try modelContainer.refusal(toObserve: observedModels).map { throw $0 }
        if modelContainer.stores.contains(where: { start.positions[$0.identifier] == nil }) {
            start = start.filled(from: try await modelContainer.currentHistoryToken())
        }
        self.init(after: start, observedModels, authors, modelContainer, isolation)
    }

    private init(
        after start: DefaultHistoryToken, _ models: [any PersistentModel.Type], _ authors: Set<String>,
        _ container: ModelContainer, _ isolation: any Actor
    ) {
        modelContainer = container
        observedModels = models
        self.authors = authors
        let filter = HistoryFilter(
            entities: models.isEmpty ? nil : container.entityNames(of: models),
            authors: authors.isEmpty ? nil : authors, origin: .all, process: container.processIdentifier)
        let held = WeakReference(self)
        let follower = HistoryFollower(container, after: start)
        let following = Task.detached { await Self.follow(held, follower, filter, container, isolation) }
        task.withLock { $0 = following }
    }

    deinit { task.withLock { $0?.cancel() } }

    /// How often there was news.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return counter.load(ordering: .acquiring)
    }

    /// Why the history cannot be followed just now; `nil` while it can. It is tried again until it works.
    public var fetchError: (any Error)? {
        registrar.access(self, keyPath: \.fetchError)
        return failure.withLock { $0 }
    }

    // MARK: Following

    private static func follow(
        _ held: WeakReference<HistoryObserver>, _ follower: HistoryFollower, _ filter: HistoryFilter,
        _ container: ModelContainer, _ isolation: isolated any Actor
    ) async {
        var follower = follower
        var retry = ReconnectDelay()
        while !Task.isCancelled {
            do {
                do {
                    switch try await follower.next() {
                    case .ended: return
                    case .timedOut: break
                    case .page(let page):
                        if page.transactions.contains(where: filter.accepts) { held.object?.noteNews() }
                    }
                } catch SwiftDataError.historyTokenExpired {
                    // Something of what was deleted may have been news.
                    follower.move(to: try await container.currentHistoryToken())
                    held.object?.noteNews()
                }
                held.object?.note(nil)
                retry.reset()
            } catch is CancellationError {
                return
            } catch {
                held.object?.note(error)
                guard (try? await Task.sleep(for: retry.next())) != nil else { return }
            }
        }
    }

    private func noteNews() {
        registrar.withMutation(of: self, keyPath: \.eventCounter) {
            _ = counter.add(1, ordering: .acquiringAndReleasing)
        }
    }

    private func note(_ error: (any Error)?) {
        guard error != nil || failure.withLock({ $0 != nil }) else { return }
        registrar.withMutation(of: self, keyPath: \.fetchError) { failure.withLock { $0 = error } }
    }

    // MARK: Beginning

    private static func required(_ isolation: (any Actor)?) throws -> any Actor {
        if let isolation { return isolation }
        throw SwiftDataError(
            .unsupportedFeature,
            "A HistoryObserver was made outside of any actor, where whoever observes its counter could miss that it moves. Make it in an "
                + "actor or on the main actor; elsewhere, iterate over container.history(after:of:authors:origin:).")
    }

    private static func start(
        _ tokens: [String: any HistoryToken]?, in container: ModelContainer
    ) throws -> DefaultHistoryToken {
        var start = DefaultHistoryToken()
        for (store, token) in tokens ?? [:] {
            guard container.stores.contains(where: { $0.identifier == store }) else {
                throw SwiftDataError(
                    .unknownSchema,
                    "HistoryObserver was given a token of the store \(store), which this container does not have.")
            }
            guard let position = (token as? DefaultHistoryToken)?.positions[store] else {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "HistoryObserver was given a \(type(of: token)) that says nothing about the store \(store). Give it the "
                        + "DefaultHistoryToken of a transaction or of currentHistoryToken().")
            }
            start.positions[store] = position
        }
        return start
    }
}

extension DefaultHistoryToken {
    /// The same place, and that of `other` in stores of which this one knows none.
    fileprivate func filled(from other: DefaultHistoryToken) -> DefaultHistoryToken {
        DefaultHistoryToken(positions.merging(other.positions) { own, _ in own })
    }
}
