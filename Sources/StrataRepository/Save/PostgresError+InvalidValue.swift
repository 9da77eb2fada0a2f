package import StrataClient

extension PostgresError {
    /// Whether the server refused a value: it does not fit its column or a check.
    ///
    /// A division by zero (22012) is none: a save's own statements divide by zero to say that a row has changed.
    package var saysInvalidValue: Bool {
        [
            "22001", "22003", "22007", "22008", "22021", "22P02", "22P05", "23502", "23514", "54000",
        ].contains(sqlState)
    }
}
