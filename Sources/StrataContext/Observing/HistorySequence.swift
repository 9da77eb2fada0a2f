public import StrataModels

/// Whose transactions an observer is given.
public enum HistoryOrigin: Sendable, Hashable {
    /// Everybody's.
    case all
    /// Those of this container.
    case own
    /// Those of other processes and other containers, and of programs that do not use the library.
    case remote
}

/// The transactions of a container's history as they are committed, by whomever:
/// ``ModelContainer/history(after:of:authors:origin:)``.
///
/// ```swift
/// for try await transaction in container.history(of: Trip.self, origin: .remote) {
///     cache.invalidate(transaction.changes.map(\.changedPersistentIdentifier))
///     token = transaction.token
/// }
/// ```
public struct HistorySequence: AsyncSequence, Sendable {
    /// One transaction with all its changes.
    public typealias Element = DefaultHistoryTransaction

    let container: ModelContainer
    let start: DefaultHistoryToken?
    let filter: HistoryFilter
    /// What the first `next()` throws: classes were asked for of which nothing ever comes.
    let refusal: SwiftDataError?

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// One observer's place in the history.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var follower: HistoryFollower
        private let filter: HistoryFilter
        private let refusal: SwiftDataError?
        private var waiting: ArraySlice<DefaultHistoryTransaction> = []
        private var hasEnded = false

        init(_ sequence: HistorySequence) {
            follower = HistoryFollower(sequence.container, after: sequence.start)
            filter = sequence.filter
            refusal = sequence.refusal
        }

        /// The next transaction, when there is one; `nil` once the container is closed.
        ///
        /// - Throws: `CancellationError` at once when the task is cancelled; ``SwiftDataError``: `historyTokenExpired` when
        ///   what comes next was deleted or the store was restored, `unsupportedFeature` for a class whose history is not
        ///   recorded, and what else waiting does not cure.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws
            -> DefaultHistoryTransaction?
        {
            if let refusal { throw refusal }
            while !hasEnded {
                try Task.checkCancellation()
                if let transaction = waiting.popFirst() { return transaction }
                switch try await follower.next() {
                case .page(let page): waiting = ArraySlice(page.transactions.filter(filter.accepts))
                case .timedOut: continue
                case .ended: hasEnded = true
                }
            }
            return nil
        }

        /// The next transaction, when there is one; `nil` once the container is closed.
        public mutating func next() async throws -> DefaultHistoryTransaction? {
            try await next(isolation: #isolation)
        }
    }
}

/// Which transactions an observer wants.
struct HistoryFilter: Sendable {
    /// Names of classes, subclasses included; `nil` for all.
    let entities: Set<String>?
    let authors: Set<String>?
    let origin: HistoryOrigin
    /// The container's process.
    let process: String

    func accepts(_ transaction: DefaultHistoryTransaction) -> Bool {
        switch origin {
        case .all: break
        case .own: guard transaction.processIdentifier == process else { return false }
        case .remote: guard transaction.processIdentifier != process else { return false }
        }
        if let authors {
            guard let author = transaction.author, authors.contains(author) else { return false }
        }
        guard let entities else { return true }
        return transaction.changes.contains { entities.contains($0.changedPersistentIdentifier.entityName) }
            || transaction.resetEntities.contains { entities.contains($0) }
    }
}
