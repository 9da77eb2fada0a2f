import Logging
public import StrataModels
import StrataRepository

/// A reader of history that keeps its place in the database: ``ModelContainer/historyConsumer(_:of:limit:)``.
///
/// Its token is written in the transaction of what its handler writes, so each change is handled exactly once, whatever
/// crashes when. Of several processes that run the same consumer one works at a time.
///
/// ```swift
/// let consumer = container.historyConsumer("search-index", of: Trip.self)
/// try await consumer.run { transactions, context in
///     for change in transactions.flatMap(\.changes) {
///         context.insert(IndexEntry(for: change.changedPersistentIdentifier))
///     }
/// } reload: { context in
///     for trip in try await context.fetch(FetchDescriptor<Trip>()) { context.insert(IndexEntry(trip)) }
/// }
/// ```
public struct HistoryConsumer: Sendable {
    /// Handles transactions, in order. What it changes in the context is saved with the consumer's place; do not save
    /// objects of other contexts here.
    public typealias Handler = @Sendable ([DefaultHistoryTransaction], ModelContext) async throws -> Void
    /// Builds everything anew from the store, in place of what was built before.
    public typealias Reload = @Sendable (ModelContext) async throws -> Void

    /// The key of ``DefaultHistoryTransaction/context`` under which the transactions of a consumer carry its name.
    public static let contextKey = "strata.consumer"

    /// Names the consumer in its store, for ever.
    public let name: String
    let container: ModelContainer
    let store: Store
    /// Names of classes, subclasses included; `nil` for all.
    let entities: Set<String>?
    let limit: Int
    /// What ``catchUp(handler:reload:)`` throws: classes were asked for of which nothing ever comes.
    let refusal: SwiftDataError?

    /// Handles what there is and what will be, until the task is cancelled or the container is closed.
    ///
    /// Lost connections and conflicts with other transactions are waited out and tried again.
    /// - Parameters:
    ///   - handler: see ``catchUp(handler:reload:)``.
    ///   - reload: see ``catchUp(handler:reload:)``.
    /// - Throws: what `handler` and `reload` throw, `CancellationError`, and ``SwiftDataError`` for what waiting does not
    ///   cure. The transaction in which it happened was rolled back: running again goes on with the same changes.
    public func run(handler: @escaping Handler, reload: Reload? = nil) async throws {
        try await run(handler: handler, reload: reload, until: HistoryConsumerStop(container))
    }

    /// As ``run(handler:reload:)``, until `stop` asks for the end: what is being handled then is handled to its end.
    package func run(handler: @escaping Handler, reload: Reload?, until stop: HistoryConsumerStop) async throws {
        let observer = container.observation.begin()
        defer { withExtendedLifetime(observer) {} }
        let signal = container.observation.signal
        var retry = ReconnectDelay()
        while !signal.isClosed {
            let seen = signal.count
            if stop.isAskedFor { return }
            do {
                _ = try await catchUp(handler, reload, until: stop)
                retry.reset()
                _ = try await signal.wait(after: seen)
            } catch let error as SwiftDataError where error.isPassing || error.isRetryable {
                // Also when the outcome of a commit is unknown: the place tells whether it happened.
                container.logger.debug("A history consumer tries again.", metadata: ["error": "\(error)"])
                try await stop.sleep(for: retry.next())
            } catch let error as SwiftDataError where error.underlying?.code == .poolClosed && signal.isClosed {
                return
            }
        }
    }

    /// Handles everything that was committed until now, and returns.
    ///
    /// - Parameters:
    ///   - handler: takes transactions of the classes that were asked for, at most the consumer's `limit` at once, and a
    ///     context for what it writes. The consumer's own transactions are left out.
    ///   - reload: called before the first transaction of a consumer that is new, and when what it has not handled yet was
    ///     deleted or the store was restored from a backup. Without it a new consumer begins with the oldest transaction,
    ///     and an expired token is an error.
    /// - Returns: how many transactions were handled.
    /// - Throws: what `handler` and `reload` throw; ``SwiftDataError``, `historyTokenExpired` among others, and
    ///   `unsupportedFeature` for a class whose history is not recorded.
    public func catchUp(handler: Handler, reload: Reload? = nil) async throws -> Int {
        try await catchUp(handler, reload, until: nil)
    }

    private func catchUp(_ handler: Handler, _ reload: Reload?, until stop: HistoryConsumerStop?) async throws -> Int {
        if let refusal { throw refusal }
        var count = 0
        while stop?.isAskedFor != true {
            try Task.checkCancellation()
            switch try await step(handler, reload) {
            case .handled(let number): count += number
            case .overtaken: continue
            case .upToDate(let number): return count + number
            }
        }
        return count
    }

    private enum Step {
        case handled(Int)
        /// Another process with this consumer was faster.
        case overtaken
        case upToDate(Int)
    }

    /// One page: read outside of the transaction that handles it, so that no number is given to it before it writes.
    private func step(_ handler: Handler, _ reload: Reload?) async throws -> Step {
        let place = try await HistoryConsumerPlace.read(name, in: store)
        guard let token = place.token else {
            guard let reload else { return try await handle(after: DefaultHistoryToken(), place, handler) }
            return try await rebuild(place, reload)
        }
        do {
            return try await handle(after: token, place, handler)
        } catch SwiftDataError.historyTokenExpired {
            guard let reload else {
                throw SwiftDataError(
                    .historyTokenExpired,
                    "What the history consumer \"\(name)\" has not handled yet was deleted, or the store was restored. Run it "
                        + "with a closure that reloads everything.")
            }
            return try await rebuild(place, reload)
        }
    }

    private func handle(after token: DefaultHistoryToken, _ place: HistoryConsumerPlace, _ handler: Handler)
        async throws -> Step
    {
        let page = try await ModelContext(container).fetchHistory(after: token, limit: limit)
        let wanted = page.transactions.filter(isWanted)
        guard !page.transactions.isEmpty || place.isOld else { return page.isLast ? .upToDate(0) : .overtaken }
        let isOurs = try await advance(place, to: page.token) { context in
            if !wanted.isEmpty { try await handler(wanted, context) }
        }
        guard isOurs else { return .overtaken }
        return page.isLast ? .upToDate(wanted.count) : .handled(wanted.count)
    }

    private func rebuild(_ place: HistoryConsumerPlace, _ reload: Reload) async throws -> Step {
        // Taken first: what is committed while everything is read is handled once more, from history.
        let token = try await container.currentHistoryToken()
        return try await advance(place, to: token, reload) ? .handled(0) : .overtaken
    }

    /// Writes the new place and what `body` changes, in one transaction. False when the place is not the old one any more.
    private func advance(
        _ place: HistoryConsumerPlace, to token: DefaultHistoryToken,
        _ body: (ModelContext) async throws -> Void
    ) async throws -> Bool {
        let context = ModelContext(container)
        context.historyContext = [Self.contextKey: name]
        do {
            // READ COMMITTED: whoever waited for another process must see what that wrote.
            try await context.suspendingTransaction(isolation: .readCommitted) { () async throws -> Void in
                guard let connection = context.unit.sessions.first(where: { $0.store === store })?.connection,
                    try await place.advance(to: token, on: connection)
                else { throw Overtaken() }
                try await body(context)
            }
            return true
        } catch is Overtaken {
            return false
        }
    }

    private struct Overtaken: Error {}

    private func isWanted(_ transaction: DefaultHistoryTransaction) -> Bool {
        if transaction.context[Self.contextKey] == name { return false }
        guard let entities else { return true }
        return transaction.changes.contains { entities.contains($0.changedPersistentIdentifier.entityName) }
            || transaction.resetEntities.contains { entities.contains($0) }
    }
}

extension ModelContainer {
    /// A consumer of the history with a place of its own, kept in the database.
    ///
    /// No I/O. What the consumer writes belongs in the store of its classes: only then place and writing are one
    /// transaction.
    /// - Parameters:
    ///   - name: names the consumer in the store; the same in every process that runs it. In a tenant's container it is that tenant's own, but
    ///     for classes that all tenants share: that one is shared too.
    ///   - types: only transactions that changed objects of these classes or their subclasses; all without. They are
    ///     classes of one store.
    ///   - limit: how many transactions are handled in one.
    public func historyConsumer(_ name: String, of types: any PersistentModel.Type..., limit: Int = 256)
        -> HistoryConsumer
    {
        historyConsumer(name, of: types, limit: limit)
    }

    package func historyConsumer(_ name: String, of types: [any PersistentModel.Type], limit: Int) -> HistoryConsumer {
        // Without classes a tenant's own: one of a shared store would be that of all tenants.
        let own = tenantName == nil ? nil : stores.first { $0.configuration.tenants != nil }
        let named = stores.first { store in types.contains { store.mapping.entity(for: $0) != nil } }
        let store = named ?? own ?? stores[0]
        return HistoryConsumer(
            name: name, container: self, store: store, entities: types.isEmpty ? nil : entityNames(of: types),
            limit: max(1, limit), refusal: refusal(toObserve: types))
    }
}
