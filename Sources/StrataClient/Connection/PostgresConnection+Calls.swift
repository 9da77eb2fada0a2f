extension PostgresConnection {
    /// What `body` does on this connection is part of a call, and has its time. As ``within(_:_:)`` where nobody observes.
    package func within<Result>(
        _ limit: Duration?, _ call: CallsInProgress?, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let call else { return try within(limit, body) }
        let before = self.call
        self.call = call
        defer { self.call = before }
        call.didConnect()
        return try within(limit, body)
    }

    /// What `body` does on this connection is part of a call, and has its time. As ``within(_:_:)`` where nobody observes.
    package func within<Result>(
        _ limit: Duration?, _ call: CallsInProgress?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let call else { return try await within(limit, body) }
        let before = self.call
        self.call = call
        defer { self.call = before }
        call.didConnect()
        return try await within(limit, body)
    }

    /// The statements, each with the comment of the call that they are part of.
    func commenting(_ entries: [PostgresBatch.Entry]) -> [PostgresBatch.Entry] {
        guard let comment = call?.comment else { return entries }
        return entries.map { entry in
            guard entry.role == .statement else { return entry }
            var copy = entry
            let sql = entry.statement.sql
            copy.statement = PostgresStatement(
                PreparedSQL(sql.text + comment, parameterTypes: sql.parameterTypes, isCached: false),
                parameters: entry.statement.parameters, name: entry.statement.name, entity: entry.statement.entity)
            return copy
        }
    }
}
