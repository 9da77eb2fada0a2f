import Foundation
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
        guard let name = databaseName else { return nil }
        for other in ["postgres", "template1"] where other != name {
            guard let admission = admission(to: name, askedIn: other) else { continue }
            return admission.remedy(name).map { remedy in
                MigrationError(.connection, error.message, remedy: remedy, underlying: error)
            }
        }
        return nil
    }

    /// The database that libpq takes: without a name, that of the environment, and else the role's.
    private var databaseName: String? {
        let environment = ProcessInfo.processInfo.environment
        return configuration.database ?? environment["PGDATABASE"] ?? configuration.user ?? environment["PGUSER"]
    }

    private enum Admission {
        case granted, denied, missing

        /// What to do about it, as a shell and as the server read it; `nil` where nothing is.
        func remedy(_ name: String) -> String? {
            switch self {
            case .granted: nil
            case .denied:
                "GRANT CONNECT ON DATABASE \(quoted(name, "\"", "\"\"")) TO the role, or use one that may connect"
            case .missing: "create it (createdb \(quoted(name, "'", #"'\''"#))), or name another database"
            }
        }

        private func quoted(_ name: String, _ quote: String, _ within: String) -> String {
            let isPlain = name.wholeMatch(of: /[a-z_][a-z0-9_]*/) != nil
            return isPlain ? name : quote + name.replacing(quote, with: within) + quote
        }
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
