/// Several observers as one.
package struct ObserverGroup: PostgresObserver {
    private let observers: [any StatementObserver]
    /// Those of them that learn of statements only; the others see a call's statements through their part of the call.
    private let plainObservers: [any StatementObserver]
    /// Those of them that learn of round trips, too.
    private let roundTripObservers: [any PostgresObserver]
    /// Decides call by call whether it writes something.
    private let log: (any StatementLogging)?
    /// Learns of round trips, too.
    private let recorder: (any PostgresObserver)?

    /// `nil` when nobody observes: then nothing is measured.
    package init?(
        _ observers: [any StatementObserver], log: (any StatementLogging)? = nil, _ recorder: (any PostgresObserver)?
    ) {
        guard !observers.isEmpty || log != nil || recorder != nil else { return nil }
        self.observers = observers
        plainObservers = observers.filter { !($0 is any CallObserver) }
        roundTripObservers = observers.compactMap { $0 as? any PostgresObserver }
        self.log = log
        self.recorder = recorder
    }

    package var recordsFlushes: Bool { recorder != nil || !roundTripObservers.isEmpty }

    package func observes(_ call: CallsInProgress?) -> Bool {
        !observers.isEmpty || recorder != nil || log?.writes(call) == true
    }

    package func connection(_ id: Int, didSend statements: [String]) {
        for observer in roundTripObservers { observer.connection(id, didSend: statements) }
        recorder?.connection(id, didSend: statements)
    }

    package func didComplete(_ statement: ObservedStatement) {
        if let calls = statement.calls, !calls.all.isEmpty {
            calls.didComplete(statement)
            for observer in plainObservers { observer.didComplete(statement) }
        } else {
            for observer in observers { observer.didComplete(statement) }
        }
        if let log, log.writes(statement.calls) { log.didComplete(statement) }
        recorder?.didComplete(statement)
    }
}
