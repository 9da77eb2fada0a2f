public import StrataModels
import StrataRepository

/// The results of a fetch, one after the other as commits change them: ``ModelContainer/results(of:settings:)``.
public struct ResultSequence<T: PersistentModel>: AsyncSequence, Sendable {
    /// The objects of one result, in the descriptor's order.
    public typealias Element = [T]

    let container: ModelContainer
    let descriptor: FetchDescriptor<T>
    let settings: [String: String]

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(container, descriptor, settings)
    }

    /// One observer. Results are made in the isolation that asks for them, so objects stay in it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let container: ModelContainer
        private let descriptor: FetchDescriptor<T>
        private let settings: [String: String]
        private var follower: HistoryFollower?
        private var dependencies: ResultDependencies?
        /// The latest result. Its objects can be read lazily until the next one.
        private var latest: Answer?
        private var hasEnded = false

        init(_ container: ModelContainer, _ descriptor: FetchDescriptor<T>, _ settings: [String: String]) {
            self.container = container
            self.descriptor = descriptor
            self.settings = settings
        }

        /// The first result, then the next one that may be different; `nil` once the container is closed.
        ///
        /// - Throws: what `fetch` throws; `CancellationError` at once when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [T]? {
            guard !hasEnded else { return nil }
            guard var follower else { return try await first() }
            defer { self.follower = follower }
            while true {
                var answer: Answer?
                do {
                    guard let effect = try await waitForEffect(&follower) else {
                        hasEnded = true
                        return nil
                    }
                    answer = try await refetch(&follower, effect)
                } catch SwiftDataError.historyTokenExpired {
                    answer = try await refetch(&follower, .differs)
                }
                guard let answer else { return nil }
                guard answer.effect == .differs else { continue }
                latest = answer
                return answer.objects
            }
        }

        /// The first result, then the next one that may be different; `nil` once the container is closed.
        public mutating func next() async throws -> [T]? {
            try await next(isolation: #isolation)
        }

        private mutating func first() async throws -> [T] {
            // What commits from now on wakes; what the fetch sees is not read again.
            var follower = HistoryFollower(container, after: DefaultHistoryToken())
            let answer = try await fetch(&follower, .differs)
            self.follower = follower
            latest = answer
            return answer.objects
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
                        effect = Swift.max(effect, effectOnLatest(of: transaction))
                    }
                    if effect != .none, deadline == nil { deadline = .now + .milliseconds(25) }
                    if let deadline, deadline <= .now { return effect }
                }
            }
        }

        /// What the latest result would be after a transaction.
        private func effectOnLatest(of transaction: DefaultHistoryTransaction) -> ResultDependencies.Effect {
            guard let dependencies, let latest else { return .differs }
            return dependencies.effect(of: transaction, showing: latest.shown)
        }

        /// The answer of now; waits while the server cannot be reached. `nil` at the end.
        private mutating func refetch(
            _ follower: inout HistoryFollower, _ effect: ResultDependencies.Effect
        ) async throws -> Answer? {
            var retry = ReconnectDelay()
            let signal = container.observation.signal
            while !signal.isClosed {
                do {
                    return try await fetch(&follower, effect)
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
        ///
        /// - Parameter effect: what the transactions up to the follower's place mean for the latest result.
        private mutating func fetch(
            _ follower: inout HistoryFollower, _ effect: ResultDependencies.Effect
        ) async throws -> Answer {
            let context = ModelContext(container)
            context.settings = settings
            let (session, _) = try context.unit.place(of: T.self)
            if dependencies == nil { dependencies = try ResultDependencies(descriptor, in: session.store) }
            let (descriptor, latest, position) = (descriptor, latest, follower.position)
            let iterator = self
            let (answer, token) = try await context.suspendingTransaction(isolation: .repeatableRead) {
                var answer = Answer(try await context.suspendingFetch(descriptor), context, session, effect)
                if !answer.showsTheSame(as: latest) { answer.effect = .differs }
                // What was committed after the follower's place is in the objects already, and nobody waits for it any more.
                // This transaction's history ends where the fetch ended.
                var place = position
                while answer.effect != .differs, let start = place {
                    let page = try await context.historyUpToThisMoment(after: start, limit: HistoryReader.pageSize)
                    for transaction in page.transactions {
                        answer.effect = Swift.max(answer.effect, iterator.effectOnLatest(of: transaction))
                    }
                    if page.isLast { return (answer, page.token) }
                    place = page.token
                }
                return (answer, try await context.tokenOfThisMoment())
            }
            follower.move(to: token)
            return answer
        }

        /// What one fetch saw.
        private struct Answer {
            let objects: [T]
            let identifiers: [PersistentIdentifier]
            let shown: Set<ResultDependencies.Shown>
            private let values: LoadedValues
            /// Whether it differs from the result before.
            var effect: ResultDependencies.Effect
            private let context: ModelContext

            init(
                _ objects: [T], _ context: ModelContext, _ session: StoreSession, _ effect: ResultDependencies.Effect
            ) {
                self.objects = objects
                self.context = context
                self.effect = effect
                identifiers = objects.map(\.persistentModelID)
                var shown: Set<ResultDependencies.Shown> = []
                var models: [any PersistentModel] = []
                session.forEachState { state in
                    guard state.phase == .registered else { return }
                    let root = session.store.mapping.entities[Int(state.rootIndex)]
                    shown.insert(ResultDependencies.Shown(root: ObjectIdentifier(root.descriptor), key: state.key))
                    if let model = state.model { models.append(model) }
                }
                self.shown = shown
                values = LoadedValues(of: models, mapping: session.store.mapping)
            }

            func showsTheSame(as other: Answer?) -> Bool {
                identifiers == other?.identifiers && shown == other?.shown && values == other?.values
            }
        }
    }
}
