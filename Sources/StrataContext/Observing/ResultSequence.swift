public import StrataModels
import StrataRepository

/// The results of a fetch, one after the other as commits change them: ``ModelContainer/results(of:)``.
public struct ResultSequence<T: PersistentModel>: AsyncSequence, Sendable {
    /// The objects of one result, in the descriptor's order.
    public typealias Element = [T]

    let container: ModelContainer
    let descriptor: FetchDescriptor<T>

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(container, descriptor)
    }

    /// One observer. Results are made in the isolation that asks for them, so objects stay in it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let container: ModelContainer
        private let descriptor: FetchDescriptor<T>
        private var follower: HistoryFollower?
        private var dependencies: ResultDependencies?
        /// The context of the latest result: its objects can be read lazily until the next one.
        private var context: ModelContext?
        private var identifiers: [PersistentIdentifier] = []
        private var shown: Set<ResultDependencies.Shown> = []
        private var hasEnded = false

        init(_ container: ModelContainer, _ descriptor: FetchDescriptor<T>) {
            self.container = container
            self.descriptor = descriptor
        }

        /// The first result, then the next one that may be different; `nil` once the container is closed.
        ///
        /// - Throws: what `fetch` throws; `CancellationError` at once when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [T]? {
            guard !hasEnded else { return nil }
            guard var follower else { return try await first() }
            defer { self.follower = follower }
            while true {
                do {
                    guard let effect = try await waitForEffect(&follower) else {
                        hasEnded = true
                        return nil
                    }
                    let (before, shownBefore) = (identifiers, shown)
                    guard let objects = try await refetch(&follower) else { return nil }
                    if effect == .differs || identifiers != before || shown != shownBefore { return objects }
                } catch SwiftDataError.historyTokenExpired {
                    return try await refetch(&follower)
                }
            }
        }

        /// The first result, then the next one that may be different; `nil` once the container is closed.
        public mutating func next() async throws -> [T]? {
            try await next(isolation: #isolation)
        }

        private mutating func first() async throws -> [T] {
            // What commits from now on wakes; what the fetch sees is not read again.
            var follower = HistoryFollower(container, after: DefaultHistoryToken())
            let objects = try await fetch(&follower)
            self.follower = follower
            return objects
        }

        /// Waits for transactions that concern the result, and a moment more for those that come with them. `nil` at the end.
        private func waitForEffect(_ follower: inout HistoryFollower) async throws -> ResultDependencies.Effect? {
            var effect = ResultDependencies.Effect.none
            var deadline: ContinuousClock.Instant?
            while true {
                switch try await follower.next(until: deadline) {
                case .ended: return nil
                case .timedOut: return effect
                case .page(let page):
                    for transaction in page.transactions {
                        effect = Swift.max(effect, dependencies?.effect(of: transaction, showing: shown) ?? .differs)
                    }
                    if effect != .none, deadline == nil { deadline = .now + .milliseconds(25) }
                    if let deadline, deadline <= .now { return effect }
                }
            }
        }

        /// The next result; waits while the server cannot be reached. `nil` at the end.
        private mutating func refetch(_ follower: inout HistoryFollower) async throws -> [T]? {
            var retry = ReconnectDelay()
            let signal = container.observation.signal
            while !signal.isClosed {
                do {
                    return try await fetch(&follower)
                } catch let error as SwiftDataError where error.isPassing {
                    try await Task.sleep(for: retry.next())
                } catch let error as SwiftDataError where error.underlying?.code == .poolClosed {
                    break
                }
            }
            hasEnded = true
            return nil
        }

        /// Fetches in a context of its own; goes on with the history right behind what the fetch saw.
        private mutating func fetch(_ follower: inout HistoryFollower) async throws -> [T] {
            let context = ModelContext(container)
            let (session, _) = try context.unit.place(of: T.self)
            if dependencies == nil { dependencies = try ResultDependencies(descriptor, in: session.store) }
            let descriptor = descriptor
            let (objects, token) = try await context.suspendingTransaction(isolation: .repeatableRead) {
                let objects = try await context.suspendingFetch(descriptor)
                return (objects, try await context.tokenOfThisMoment())
            }
            follower.move(to: token)
            identifiers = objects.map(\.persistentModelID)
            shown.removeAll(keepingCapacity: true)
            session.forEachState { state in
                guard state.phase == .registered else { return }
                let root = session.store.mapping.entities[Int(state.rootIndex)]
                shown.insert(ResultDependencies.Shown(root: ObjectIdentifier(root.descriptor), key: state.key))
            }
            self.context = context
            return objects
        }
    }
}
