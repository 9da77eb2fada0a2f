/// A transaction that was begun on a connection.
struct OpenTransaction {
    /// Whether it cannot write: then its COMMIT stores nothing.
    var isReadOnly = false
    /// Whether the server was told a time for its statements.
    var isLimited = false
}
