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

    /// The connection went to a savepoint, or back to one: statements behind it may be undone.
    mutating func noteSavepoint() {
        if limit == .takenBack { limit = .told }
    }
}
