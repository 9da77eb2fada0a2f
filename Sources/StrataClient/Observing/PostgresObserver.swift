/// Learns what connections send and what became of it. Called on the thread that sends or reads, so it must be quick.
package protocol PostgresObserver: Sendable {
    /// Called once for each flush, that is once for each round trip, with the SQL texts in order.
    func connection(_ id: Int, didSend statements: [String])

    /// Called when a statement has been answered, or has failed. What the server skipped after a failure is not told.
    func didComplete(_ statement: ObservedStatement)

    /// Whether it wants to be told of what is sent; asked for each flush.
    var recordsFlushes: Bool { get }

    /// Whether it wants to be told of the statements of a call, or of none (`nil`); asked for each flush. What nobody wants to be told
    /// of is not measured.
    func observes(_ call: CallsInProgress?) -> Bool
}

extension PostgresObserver {
    package func didComplete(_ statement: ObservedStatement) {}
    package var recordsFlushes: Bool { true }
    package func observes(_ call: CallsInProgress?) -> Bool { true }
}
