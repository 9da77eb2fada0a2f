/// Several observers as one.
package struct ObserverGroup: PostgresObserver {
    private let observers: [any StatementObserver]
    /// Those of them that learn of round trips, too.
    private let roundTripObservers: [any PostgresObserver]
    private let recorder: (any PostgresObserver)?

    /// `nil` when nobody observes: then nothing is measured.
    package init?(_ observers: [any StatementObserver], _ recorder: (any PostgresObserver)?) {
        guard !observers.isEmpty || recorder != nil else { return nil }
        self.observers = observers
        roundTripObservers = observers.compactMap { $0 as? any PostgresObserver }
        self.recorder = recorder
    }

    package func connection(_ id: Int, didSend statements: [String]) {
        for observer in roundTripObservers { observer.connection(id, didSend: statements) }
        recorder?.connection(id, didSend: statements)
    }

    package func didComplete(_ statement: ObservedStatement) {
        for observer in observers { observer.didComplete(statement) }
        recorder?.didComplete(statement)
    }
}
