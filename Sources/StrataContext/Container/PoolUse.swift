/// How the connections of one store to one server are used at one moment: for metrics and health checks.
public struct PoolUse: Sendable, Hashable {
    /// The store's name, as ``ModelConfiguration/name``.
    public let store: String
    /// Which of ``ModelConfiguration/replicas``, from 1 on; `nil` for the server that takes writes.
    public let replica: Int?
    /// Connections that are open, or being opened.
    public let open: Int
    /// Connections that somebody holds.
    public let inUse: Int
    /// Calls that wait for a connection.
    public let waiting: Int
    /// The most that asynchronous calls may hold, as ``ModelConfiguration/Pool/maximumConnections``.
    public let maximum: Int

    /// Names the pool among all of a container: `default`; `default, replica 1`.
    public var name: String { replica.map { "\(store), replica \($0)" } ?? store }
}
