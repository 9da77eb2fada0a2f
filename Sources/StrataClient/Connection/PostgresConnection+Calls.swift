extension PostgresConnection {
    /// What `body` does on this connection is part of a call, on its terms, and gets no more rows from a statement than that; `nil`
    /// for what there is no limit of. No round trip.
    package func within<Result>(
        _ terms: CallTerms, _ call: CallsInProgress? = nil, rows: Int? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
        let before = enter(terms, call, rows)
        defer { (callSettings, self.call, rowLimit) = before }
        return try within(terms.limit, body)
    }

    /// What `body` does on this connection is part of a call, on its terms, and gets no more rows from a statement than that; `nil`
    /// for what there is no limit of. No round trip.
    package func within<Result>(
        _ terms: CallTerms, _ call: CallsInProgress? = nil, rows: Int? = nil, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let before = enter(terms, call, rows)
        defer { (callSettings, self.call, rowLimit) = before }
        return try await within(terms.limit, body)
    }

    private func enter(
        _ terms: CallTerms, _ call: CallsInProgress?, _ rows: Int?
    ) -> (CallSettings?, CallsInProgress?, Int?) {
        let before = (callSettings, self.call, rowLimit)
        callSettings = terms.settings
        rowLimit = rows
        if let call {
            self.call = call
            call.didConnect()
        }
        return before
    }

    /// The statements, each with the comment of the call that they are part of.
    func commenting(_ entries: [PostgresBatch.Entry]) -> [PostgresBatch.Entry] {
        guard let comment = call?.comment else { return entries }
        return entries.map { entry in
            guard entry.role == .statement else { return entry }
            let sql = entry.statement.sql
            return entry.withSQL(PreparedSQL(sql.text + comment, parameterTypes: sql.parameterTypes, isCached: false))
        }
    }
}
