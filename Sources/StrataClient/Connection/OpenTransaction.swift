/// A transaction that was begun on a connection.
struct OpenTransaction {
    /// What the server was told of the time for the transaction's statements.
    enum Limit {
        case none
        case told
        /// Told, and taken back. Going back to a savepoint undoes the taking back.
        case takenBack
    }

    /// Whether it cannot write: then its COMMIT stores nothing.
    var isReadOnly = false
    var limit = Limit.none

    /// What follows a savepoint was undone, perhaps.
    mutating func noteSavepoint() {
        if limit == .takenBack { limit = .told }
    }
}
