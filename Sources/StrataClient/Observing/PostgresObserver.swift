/// Learns what connections send. Called on the thread that sends, so it must be quick.
package protocol PostgresObserver: Sendable {
    /// Called once for each flush, that is once for each round trip, with the SQL texts in order.
    func connection(_ id: Int, didSend statements: [String])

    /// Called when the answers to a flush have been read, or the attempt failed.
    func connection(_ id: Int, didComplete statements: [String], error: (any Error)?)
}

extension PostgresObserver {
    package func connection(_ id: Int, didComplete statements: [String], error: (any Error)?) {}
}
