package import StrataClient

extension PostgresBatch {
    /// Tells the server, until the end of the transaction, who makes its changes: triggers read it with
    /// `current_setting('strata.author', true)`. Part of the batch, so it costs no round trip; nothing is sent for `nil`.
    package mutating func setAuthor(_ author: String?) throws {
        guard let author else { return }
        add(PostgresStatement(Self.setAuthor, parameters: try PostgresParameters(author), name: "set author"))
    }

    // Transaction-local, so that it is safe behind a pooler in transaction mode.
    private static let setAuthor = PreparedSQL("SELECT set_config('strata.author', $1, true)")
}
