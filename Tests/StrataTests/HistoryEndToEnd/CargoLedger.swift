import Synchronization

/// What the writers know they have committed: the truth that every reader of the history is compared with.
final class CargoLedger: Sendable {
    private struct Contents {
        var committed: [String: Set<String>] = [:]
        var rolledBack = 0
        var preparedCommits = 0
        var savepointsUndone = 0
    }

    private let contents = Mutex(Contents())

    /// A transaction is in: `changes` are the net changes of cargos, such as `U17`. Its name is its author, or its number
    /// where it has none.
    func committed(_ transaction: String, _ changes: Set<String>, wasPrepared: Bool = false) {
        contents.withLock {
            $0.committed[transaction] = changes
            if wasPrepared { $0.preparedCommits += 1 }
        }
    }

    func rolledBack() { contents.withLock { $0.rolledBack += 1 } }
    func undidSavepoint() { contents.withLock { $0.savepointsUndone += 1 } }

    var transactions: [String: Set<String>] { contents.withLock { $0.committed } }
    var counts: (rolledBack: Int, prepared: Int, savepoints: Int) {
        contents.withLock { ($0.rolledBack, $0.preparedCommits, $0.savepointsUndone) }
    }
}
