package import StrataClient
package import StrataMigrations

extension DatabaseAddress {
    /// What to do where the server is there, and refuses this database: it does not exist, or the role may not connect to it.
    ///
    /// libpq gives out no SQLSTATE of a refused connection (3D000, 42501), and the server's words are in its language. So the
    /// server is asked, by a connection to a database that every server has: at most two more attempts of three seconds each.
    ///
    /// - Returns: `nil` where the server cannot be asked, or does not mind.
    package func refusal(behind error: PostgresError) -> MigrationError? {
        guard let name = configuration.database else { return nil }
        let others = ["postgres", "template1"].filter { $0 != name }
        let remedy: String
        switch others.lazy.compactMap({ admission(to: name, askedIn: $0) }).first {
        case .missing: remedy = "create it (createdb \(name)), or name another database"
        case .denied: remedy = "GRANT CONNECT ON DATABASE \(name) TO the role, or use one that may connect"
        case .granted, nil: return nil
        }
        return MigrationError(.connection, error.message, remedy: remedy, underlying: error)
    }

    private enum Admission {
        case granted, denied, missing
    }

    /// `nil` where the server does not answer there.
    private func admission(to name: String, askedIn other: String) -> Admission? {
        var configuration = configuration
        configuration.database = other
        configuration.options["connect_timeout"] = "3"
        guard let connection = try? PostgresConnection.connect(configuration, limits: .short) else { return nil }
        defer { connection.close() }
        var answer = Admission.missing
        do {
            var parameters = PostgresParameters()
            try parameters.append(name)
            let statement = PostgresStatement(Self.mayConnect, parameters: parameters)
            try connection.run(
                PostgresBatch(statement) { row in answer = try row.decode(0) ? Admission.granted : .denied })
        } catch {
            return nil
        }
        return answer
    }

    private static let mayConnect = PreparedSQL(
        """
        SELECT pg_catalog.has_database_privilege(oid, 'CONNECT') FROM pg_catalog.pg_database
        WHERE datname = $1::pg_catalog.text
        """, isCached: false)
}
