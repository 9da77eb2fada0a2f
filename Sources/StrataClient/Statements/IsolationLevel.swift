/// How much a transaction sees of others that run at the same time.
public enum IsolationLevel: String, Sendable, Hashable {
    /// Each statement sees what was committed before it began. The server's default.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the transaction's first.
    case repeatableRead = "REPEATABLE READ"
    /// As if transactions ran one after the other; be ready to run one again (SQLSTATE 40001).
    case serializable = "SERIALIZABLE"
}
