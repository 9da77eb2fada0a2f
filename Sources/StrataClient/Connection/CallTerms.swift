/// What a call asks of the connection that it uses.
package struct CallTerms: Sendable {
    /// The time that all its round trips have together; `nil` for any.
    package var limit: Duration?
    /// The settings that its statements find; `nil` for those that there are.
    package var settings: CallSettings?

    package init(limit: Duration? = nil, settings: CallSettings? = nil) {
        self.limit = limit
        self.settings = settings
    }
}

/// Settings of the server for the statements of a call.
package final class CallSettings: Sendable {
    /// The value of each, by its name.
    package let values: [String: String]
    private let names: [String]
    private let sql: PreparedSQL

    /// - Returns: `nil` without settings.
    package init?(_ values: [String: String]) {
        guard !values.isEmpty else { return nil }
        self.values = values
        names = values.keys.sorted()
        let calls = names.indices.map { "pg_catalog.set_config($\(2 * $0 + 1), $\(2 * $0 + 2), true)" }
        sql = PreparedSQL.interned("SELECT " + calls.joined(separator: ", "))
    }

    fileprivate func isEntry(_ entry: PostgresBatch.Entry) -> Bool { entry.statement.sql.id == sql.id }

    func entry() throws(PostgresError) -> PostgresBatch.Entry {
        var parameters = PostgresParameters()
        for name in names {
            try parameters.append(name)
            try parameters.append(values[name])
        }
        return PostgresBatch.Entry(statement: PostgresStatement(sql, parameters: parameters).storingNothing)
    }
}

extension PostgresConnection {
    /// The statements, with those in front of them that tell the server the terms of the call.
    ///
    /// Local to the transaction, so that nothing of it stays behind a pooler. Without BEGIN that is what is sent up to the
    /// synchronisation point (manual, 55.2.3).
    func onTerms(_ entries: [PostgresBatch.Entry]) throws(PostgresError) -> [PostgresBatch.Entry] {
        guard let callSettings, entries.contains(where: { $0.role == .statement || $0.role == .autocommit }),
            !entries.contains(where: callSettings.isEntry)
        else { return try limiting(entries) }
        // Told with every batch: going back to a savepoint takes back what was told behind it.
        var entries = entries
        entries.insert(try callSettings.entry(), at: Self.placeBeforeStatements(entries))
        return try limiting(entries)
    }

    /// Nothing precedes BEGIN and the savepoints that were put off with it.
    static func placeBeforeStatements(_ entries: [PostgresBatch.Entry]) -> Int {
        entries.firstIndex { $0.role != .begin && !$0.role.isSavepoint } ?? entries.startIndex
    }
}
