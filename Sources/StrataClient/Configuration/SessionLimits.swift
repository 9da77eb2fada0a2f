/// Times that the server keeps for each session, whatever the client does (manual, 20.11.1, "Statement Behavior").
///
/// To a millisecond, and at least one. `nil` leaves what the server, the database or the role says.
package struct SessionLimits: Sendable, Hashable {
    /// The longest that one statement may take.
    package var statement: Duration?
    /// The longest that one transaction may take; of PostgreSQL 17 and newer.
    package var transaction: Duration?
    /// The longest that an open transaction may do nothing.
    package var idleInTransaction: Duration?

    package init(statement: Duration? = nil, transaction: Duration? = nil, idleInTransaction: Duration? = nil) {
        self.statement = statement
        self.transaction = transaction
        self.idleInTransaction = idleInTransaction
    }

    /// The server's settings with their values in milliseconds.
    ///
    /// - Throws: ``PostgresError`` (`invalidConfiguration`) for a time that is none, and for what the server does not have.
    func settings(serverVersion: Int) throws(PostgresError) -> [(name: String, milliseconds: Int)] {
        if transaction != nil, serverVersion < 17_00_00 {
            throw PostgresError(
                .invalidConfiguration,
                "The configuration limits transactions, which PostgreSQL does from version 17 on, and this server has "
                    + "\(serverVersion / 10_000). Leave transactionTimeout out; statementTimeout and idleInTransactionTimeout work."
            )
        }
        var settings: [(name: String, milliseconds: Int)] = []
        for (name, limit) in [
            ("statement_timeout", statement), ("transaction_timeout", transaction),
            ("idle_in_transaction_session_timeout", idleInTransaction),
        ] {
            guard let limit else { continue }
            guard limit > .zero else {
                throw PostgresError(
                    .invalidConfiguration,
                    "The configuration gives \(name) a time of \(limit.seconds). Write one above zero, or nil for no limit."
                )
            }
            settings.append((name, limit.serverMilliseconds))
        }
        return settings
    }
}
