import StrataClient
import StrataLocalServer
import StrataMigrations

extension MigrationError {
    /// Any error as one with an exit code.
    init(reporting error: any Error) {
        switch error {
        case let error as MigrationError: self = error
        case let error as PostgresError: self = Self.reporting(error)
        case let error as LocalServerError:
            self = MigrationError(
                .connection, "\(error)", remedy: "--database-url or DATABASE_URL name another server than --local",
                underlying: error)
        default: self = MigrationError(.unexpected, "\(error)", underlying: error)
        }
    }

    private static func reporting(_ error: PostgresError) -> MigrationError {
        let state = error.sqlState ?? ""
        if error.code == .invalidConfiguration {
            return MigrationError(
                .usage, error.message,
                remedy: "write postgres://user@host:5432/database; libpq's parameters follow as ?sslmode=require",
                underlying: error)
        }
        if error.code == .authenticationFailed || state.hasPrefix("28") {
            return MigrationError(
                .connection, error.message, remedy: "libpq's passfile or PGPASSWORD are the places for a password",
                underlying: error)
        }
        if error.isConnectionLoss {
            return MigrationError(
                .connection, error.message, remedy: "see that the server can be reached; --wait 60s waits for it",
                underlying: error)
        }
        return MigrationError(running: error)
    }
}
