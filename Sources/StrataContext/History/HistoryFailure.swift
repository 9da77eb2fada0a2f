import StrataModels

/// What errors of the server mean for history.
enum HistoryFailure {
    static func explain(_ error: any Error) -> any Error {
        guard let error = error as? SwiftDataError else { return error }
        switch error.sqlState {
        case "42501" where error.underlying?.lacksRight == true:
            return SwiftDataError(
                error.code,
                "The role of this connection may not do that with the history. Its owner grants it with "
                    + "SELECT strata.history_grant('<role>', 'read'), 'write' for an application that saves, or 'prune' for "
                    + "deleting history.", underlying: error.underlying)
        case "42P01", "42703", "42883", "3F000":
            return SwiftDataError(
                .unsupportedFeature,
                "This database has no tables for history, or older ones. Open a container that may create tables, or apply "
                    + "the migrations.", underlying: error.underlying)
        default: return error
        }
    }
}
