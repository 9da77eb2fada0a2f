import Foundation
import StrataClient
import StrataMigrations

extension DatabaseAddress {
    /// What to do where the server is there, and refuses this database: it does not exist, or the role may not connect to it.
    ///
    /// - Returns: `nil` for any other failure.
    func refusal(behind error: PostgresError) -> MigrationError? {
        guard let name = databaseName else { return nil }
        let remedy: String
        switch error.sqlState {
        // invalid_catalog_name, insufficient_privilege (manual, appendix A).
        case "3D000": remedy = "create it (createdb \(Self.quoted(name, "'", #"'\''"#))), or name another database"
        case "42501":
            remedy =
                "GRANT CONNECT ON DATABASE \(Self.quoted(name, "\"", "\"\"")) TO the role, or use one that may connect"
        default: return nil
        }
        return MigrationError(.connection, error.message, remedy: remedy, underlying: error)
    }

    /// The database that libpq takes: without a name, that of the environment, and else the role's.
    private var databaseName: String? {
        let environment = ProcessInfo.processInfo.environment
        return configuration.database ?? environment["PGDATABASE"] ?? configuration.user ?? environment["PGUSER"]
    }

    /// A name as a shell or the server reads it.
    private static func quoted(_ name: String, _ quote: String, _ within: String) -> String {
        let isPlain = name.wholeMatch(of: /[a-z_][a-z0-9_]*/) != nil
        return isPlain ? name : quote + name.replacing(quote, with: within) + quote
    }
}
