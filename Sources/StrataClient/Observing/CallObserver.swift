package import Logging

/// A call of a context that asks the server, of which a ``CallObserver`` is told.
package struct ObservedCall: Sendable {
    package enum Kind: Sendable {
        case read
        case save
        /// A getter that has found its property not loaded.
        case lazyLoad
    }

    package let kind: Kind
    /// For example `fetch Trip`, `save`, `load Trip.owner`.
    package let name: String

    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

/// Is told of the calls of contexts besides statements: when each begins, has its connection, and ends.
package protocol CallObserver: StatementObserver {
    /// A call begins, in the task that makes it.
    func didBegin(_ call: ObservedCall) -> any CallInProgress
    /// Work with a context is done again from its beginning, because of this error.
    func willRepeat(after error: any Error)
}

/// One call, as one observer sees it.
package protocol CallInProgress: Sendable {
    /// A comment for each statement of the call, without its delimiters; `nil` for none.
    var comment: String? { get }
    /// The call has got its connection.
    func didConnect()
    /// A statement of the call has been answered, or has failed: its observer is told here, and not besides.
    func didComplete(_ statement: ObservedStatement)
    /// The call has ended.
    func didEnd(_ error: (any Error)?)
}

/// The observers of a container that are told of calls; there is none where nobody asks, and then nothing is done.
package struct CallObservation: Sendable {
    package let observers: [any CallObserver]

    package init?(_ observers: [any StatementObserver]) {
        let observers = observers.compactMap { $0 as? any CallObserver }
        guard !observers.isEmpty else { return nil }
        self.observers = observers
    }

    package func begin(_ kind: ObservedCall.Kind, _ name: String, logger: Logger?) -> CallsInProgress {
        let call = ObservedCall(kind, name)
        return CallsInProgress(all: observers.map { $0.didBegin(call) }, logger: logger)
    }

    package func willRepeat(after error: any Error) {
        for observer in observers { observer.willRepeat(after: error) }
    }
}

/// One call, as all observers see it.
package struct CallsInProgress: Sendable {
    package let all: [any CallInProgress]
    /// Where its statements are logged; `nil` for where the container's are.
    package let logger: Logger?

    package init(all: [any CallInProgress] = [], logger: Logger?) {
        self.all = all
        self.logger = logger
    }

    package func end(_ error: (any Error)? = nil) {
        for call in all { call.didEnd(error) }
    }

    func didConnect() {
        for call in all { call.didConnect() }
    }

    func didComplete(_ statement: ObservedStatement) {
        for call in all { call.didComplete(statement) }
    }

    /// What is appended to each statement; such a statement is another text in each call, so it is not prepared by name.
    var comment: String? {
        var comments: [String] = []
        for call in all { if let comment = call.comment { comments.append(comment) } }
        return comments.isEmpty ? nil : " /*\(comments.joined(separator: ","))*/"
    }
}
