/// What a NOTIFY sent.
package struct PostgresNotification: Sendable, Hashable {
    package let channel: String
    package let payload: String
    /// The server process that notified.
    package let backendID: Int32
}
