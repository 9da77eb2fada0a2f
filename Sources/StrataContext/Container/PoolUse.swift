/// How the connections of one store are used at one moment: for metrics and health checks.
public struct PoolUse: Sendable, Hashable {
    /// The store's name, as ``ModelConfiguration/name``; of a replica, the store's name and a number.
    public let store: String
    /// Connections that are open, or being opened.
    public let open: Int
    /// Connections that somebody holds.
    public let inUse: Int
    /// Calls that wait for a connection.
    public let waiting: Int
    /// The most that asynchronous calls may hold, as ``ModelConfiguration/Pool/maximumConnections``.
    public let maximum: Int
}
