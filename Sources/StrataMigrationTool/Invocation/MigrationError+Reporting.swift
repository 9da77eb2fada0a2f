import StrataClient
import StrataLocalServer
import StrataMigrations

extension MigrationError {
    /// Any error as one with an exit code.
    init(reporting error: any Error) {
        switch error {
        case let error as MigrationError: self = error
        case let error as PostgresError: self = Self.reporting(error)
        case let error as LocalServerError: self = MigrationError(.connection, "\(error)", underlying: error)
        default: self = MigrationError(.unexpected, "\(error)", underlying: error)
        }
    }

    private static func reporting(_ error: PostgresError) -> MigrationError {
        let state = error.sqlState ?? ""
        if error.code == .invalidConfiguration { return MigrationError(.usage, error.message, underlying: error) }
        // 28…: wrong credentials; 3D000: no such database; 42501 while connecting is not among them.
        if error.isConnectionLoss || state.hasPrefix("28") || state == "3D000" {
            return MigrationError(.connection, "\(error)", underlying: error)
        }
        return MigrationError(.unexpected, "\(error)", underlying: error)
    }
}
