/// How statements are prepared on the server.
public enum PreparedStatements: Sendable, Hashable {
    /// Each connection keeps up to `limit` statements prepared and forgets the least recently used.
    case named(limit: Int = 256)
    /// Nothing is kept on the server: for poolers that give each transaction another server (PgBouncer in transaction mode).
    case unnamed
}
