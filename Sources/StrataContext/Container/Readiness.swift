import StrataClient
public import StrataMigrations
public import StrataModels

/// Whether a container can serve now, as ``ModelContainer/readiness(of:maximumLag:)`` has found: for the probe of a load balancer.
public struct Readiness: Sendable {
    /// What one store is able to do.
    public struct Store: Sendable {
        /// Its name, as ``ModelConfiguration/name``.
        public let name: String
        /// What was found.
        public let state: StoreState
    }

    /// What was found of a store.
    public enum StoreState: Sendable {
        /// The server answers, and the tables are those of the models. The time is that of all round trips, the wait for a
        /// connection included.
        case ready(Duration)
        /// A stage of a migration is under way or pending its next phase, and the tables serve the models meanwhile.
        case migrating(stage: String, phase: MigrationPhase)
        /// The tables do not fit the models any more: another program has migrated them. The error says how they differ.
        case incompatible(SwiftDataError)
        /// The server does not answer, or refuses.
        case unreachable(SwiftDataError)

        /// Whether models can be read and saved.
        public var isReady: Bool {
            switch self {
            case .ready, .migrating: true
            case .incompatible, .unreachable: false
            }
        }
    }

    /// How far one consumer of the history is behind.
    public struct Consumer: Sendable {
        /// Its name, as ``HistoryConsumer/name``.
        public let name: String
        /// What was found.
        public let state: ConsumerState
    }

    /// What was found of a consumer.
    public enum ConsumerState: Sendable {
        /// It has handled everything.
        case upToDate
        /// The oldest transaction that it has not handled was committed so long ago, by the clocks of server and program.
        case behind(Duration)
        /// It has never handled anything.
        case new
        /// What it has not handled was deleted, or the store was restored: it has to reload.
        case expired
        /// It could not be found out.
        case unknown(SwiftDataError)

        fileprivate func isReady(within lag: Duration) -> Bool {
            switch self {
            case .upToDate: true
            case .behind(let time): time <= lag
            case .new, .expired, .unknown: false
            }
        }
    }

    /// The stores, in the order of their names.
    public let stores: [Store]
    /// The consumers that were asked for, in that order.
    public let consumers: [Consumer]
    /// The longest that a consumer may be behind; `nil` when that keeps nobody from being ready.
    public let maximumLag: Duration?

    /// Whether all stores are ready, and no consumer is further behind than ``maximumLag``.
    public var isReady: Bool {
        let isServed = stores.allSatisfy(\.state.isReady)
        guard let maximumLag else { return isServed }
        return isServed && consumers.allSatisfy { $0.state.isReady(within: maximumLag) }
    }
}

extension Readiness: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line for each store and consumer, in words that anybody may read who asks a probe: what is not ready and of which kind the
    /// reason is, no host, no table, no text of an error.
    public var description: String {
        lines(store: \.description, consumer: \.description)
    }

    /// The same lines with the errors in full: for logs.
    public var debugDescription: String {
        lines(store: \.debugDescription, consumer: \.debugDescription)
    }

    private func lines(store: (StoreState) -> String, consumer: (ConsumerState) -> String) -> String {
        let stores = stores.map { "store \($0.name): \(store($0.state))" }
        let consumers = consumers.map { "consumer \($0.name): \(consumer($0.state))\(remark(on: $0.state))" }
        return (stores + consumers).joined(separator: "\n")
    }

    /// Why a consumer that is behind keeps the container from being ready.
    private func remark(on state: ConsumerState) -> String {
        guard let maximumLag, case .behind(let lag) = state, lag > maximumLag else { return "" }
        return ", more than \(maximumLag)"
    }
}

extension Readiness.StoreState: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was found, in words, with the kind of an error and not its text.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .migrating(let stage, let phase): "migrating, stage \(stage), phase \(phase)"
        case .incompatible: "incompatible with the models"
        case .unreachable(let error): "unreachable\(error.reasonInBrief)"
        }
    }

    /// What was found, with the text of the error.
    public var debugDescription: String {
        switch self {
        case .ready, .migrating: description
        case .incompatible(let error): "incompatible: \(error.message)"
        case .unreachable(let error): "unreachable: \(error.message)"
        }
    }
}

extension Readiness.ConsumerState: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was found, in words, with the kind of an error and not its text.
    public var description: String {
        switch self {
        case .upToDate: "up to date"
        case .behind(let time): "behind by \(time)"
        case .new: "new"
        case .expired: "expired: it has to reload"
        case .unknown(let error): "unknown\(error.reasonInBrief)"
        }
    }

    /// What was found, with the text of the error.
    public var debugDescription: String {
        if case .unknown(let error) = self { "unknown: \(error.message)" } else { description }
    }
}

extension SwiftDataError {
    /// The SQLSTATE, or the client's code where the server has said none.
    fileprivate var reasonInBrief: String {
        guard let underlying else { return "" }
        return " (\(underlying.sqlState ?? underlying.code.description))"
    }
}
