/// Learns what connections send and what became of it. Called on the thread that sends or reads, so it must be quick.
package protocol PostgresObserver: Sendable {
    /// Called once for each flush, that is once for each round trip, with the SQL texts in order.
    func connection(_ id: Int, didSend statements: [String])

    /// Called when a statement has been answered, or has failed. What the server skipped after a failure is not told.
    func didComplete(_ statement: ObservedStatement)
}

extension PostgresObserver {
    package func didComplete(_ statement: ObservedStatement) {}
}
