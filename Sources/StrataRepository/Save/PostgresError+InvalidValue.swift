package import StrataClient

extension PostgresError {
    /// Whether the server refused a value: it does not fit its column or a check, or could not be computed.
    package var saysInvalidValue: Bool {
        [
            "22001", "22003", "22007", "22008", "22012", "22021", "22P02", "22P05", "23502", "23514", "54000",
        ].contains(sqlState)
    }
}
