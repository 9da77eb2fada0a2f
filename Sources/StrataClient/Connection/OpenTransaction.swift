/// A transaction that was begun on a connection.
struct OpenTransaction {
    /// What the server was told of the time for the transaction's statements.
    enum Limit {
        case none
        case told
        /// A time was told, and then the default. Going back to a savepoint may bring the time back.
        case takenBack
    }

    /// Whether it cannot write: then its COMMIT stores nothing.
    var isReadOnly = false
    var limit = Limit.none
    /// Whether temporary tables and cursors of a caller's own may be there.
    var mayLeaveObjects = false
    /// Whether a statement was carried out that is not known to store nothing; also where a savepoint has undone it since.
    var mayHaveStored = false

    /// The savepoints that there are, the outermost first.
    private(set) var savepoints: [String] = []

    /// The connection went to a savepoint, or back to one: statements behind it may be undone.
    mutating func note(_ change: SavepointChange) {
        if limit == .takenBack { limit = .told }
        switch change {
        case .set(let name): savepoints.append(name)
        case .rollBack(let name): removeSavepoints(behind: name)
        case .release(let name):
            removeSavepoints(behind: name)
            if savepoints.last == name { savepoints.removeLast() }
        }
    }

    private mutating func removeSavepoints(behind name: String) {
        guard let place = savepoints.lastIndex(of: name) else { return }
        savepoints.removeSubrange((place + 1)...)
    }
}

/// What is open on a connection.
package struct TransactionState {
    /// Whether a transaction is, be it a failed one.
    package let isOpen: Bool
    private let savepoints: [String]

    init(_ transaction: OpenTransaction?, _ status: PostgresConnection.TransactionStatus) {
        isOpen = status != .idle
        savepoints = transaction?.savepoints ?? []
    }

    /// Whether a savepoint of this name has been set, and is there still.
    package func has(savepoint: String) -> Bool { isOpen && savepoints.contains(savepoint) }
}
