/// What makes a migration file run in plain psql, on an empty database too. Read over by the parser, up to the first
/// step.
enum FilePreamble {
    /// Statements that are safe to repeat.
    static func statements(ledger: [String]) -> [String] {
        ["SET client_min_messages = warning"] + ledger + [
            "RESET client_min_messages",
            "SET strata.batch_first = '\(Int64.min)'",
            "SET strata.batch_last = '\(Int64.max)'",
        ]
    }
}
