import StrataClient
import StrataMigrations

extension DatabaseAddress {
    /// What to do where the server is there, and refuses this database: it does not exist, or the role may not connect to it.
    ///
    /// - Returns: `nil` for any other failure.
    func refusal(behind error: PostgresError) -> MigrationError? {
        guard let name = configuration.database else { return nil }
        let remedy: String
        switch error.sqlState {
        // invalid_catalog_name, insufficient_privilege (manual, appendix A).
        case "3D000": remedy = "create it (createdb \(name)), or name another database"
        case "42501": remedy = "GRANT CONNECT ON DATABASE \(name) TO the role, or use one that may connect"
        default: return nil
        }
        return MigrationError(.connection, error.message, remedy: remedy, underlying: error)
    }
}
