extension PostgresError {
    /// The kinds of failure. More may be added, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for example `connectionLost`.
        public let description: String

        init(_ name: String) { description = name }

        /// No server could be reached, or it refused the connection.
        public static let connectionFailed = Code("connectionFailed")
        /// The server did not accept the user or the password.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The connection broke. ``PostgresError/wasSent`` tells whether the statement may have run.
        public static let connectionLost = Code("connectionLost")
        /// The connection broke after COMMIT was sent and before its answer: the transaction may or may not be stored.
        public static let outcomeUnknown = Code("outcomeUnknown")
        /// The connection is carrying out another statement, or was closed by its owner.
        public static let connectionUnavailable = Code("connectionUnavailable")
        /// The server reported an error; see ``PostgresError/sqlState``.
        public static let server = Code("server")
        /// COMMIT was answered by a rollback because an earlier statement of the transaction had failed.
        public static let transactionAborted = Code("transactionAborted")
        /// A prepared statement no longer fits the tables, or is not known to the server any more.
        public static let stalePreparedStatement = Code("stalePreparedStatement")
        /// The statement was cancelled.
        public static let cancelled = Code("cancelled")
        /// The statement ran longer than the server allows (`statement_timeout`), or a wait ran out of time.
        public static let timeout = Code("timeout")
        /// The pool was closed.
        public static let poolClosed = Code("poolClosed")
        /// No connection became free in time; the text says who holds them and for how long.
        public static let poolAcquireTimeout = Code("poolAcquireTimeout")
        /// The server answered with something the client did not expect here.
        public static let protocolViolation = Code("protocolViolation")
        /// The server takes no writes (SQLSTATE 25006), and the transaction was to write: it is a standby, or has become one.
        public static let readOnlyServer = Code("readOnlyServer")
        /// A statement gave more rows than the call allows.
        public static let rowLimitExceeded = Code("rowLimitExceeded")
        /// A value from the server could not be turned into the Swift type.
        public static let decoding = Code("decoding")
        /// A Swift value could not be turned into a parameter.
        public static let encoding = Code("encoding")
        /// The connection string or an option is wrong.
        public static let invalidConfiguration = Code("invalidConfiguration")
    }
}
