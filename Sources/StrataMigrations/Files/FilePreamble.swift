import StrataRepository

/// What makes a migration file run in plain psql. Read over by the parser, up to the first step.
enum FilePreamble {
    /// Statements that are safe to repeat.
    ///
    /// - Parameter from: What the database must be at, for a file that starts from a version; a file that starts from
    ///   nothing makes the tables of the ledger.
    static func statements(
        from: StageScript.Version?, steps: [MigrationStep], script: StageScript, ledger: [String]
    ) -> [String] {
        let author = from == script.to ? script.downAuthor : script.author
        let ranges = ["SET strata.batch_first = '\(Int64.min)'", "SET strata.batch_last = '\(Int64.max)'"]
        let beginning =
            from.map { [refusal(unless: $0, script)] }
            ?? ["SET client_min_messages = warning"] + ledger + ["RESET client_min_messages"]
        // The runner tells the history for each transaction who it is.
        return beginning + ["SET strata.author = \(SQLFragment.literal(author))"]
            + (steps.contains(where: \.isBatched) ? ranges : [])
    }

    /// Stops psql on a database that is at another version; the runner asks the ledger itself.
    private static func refusal(unless version: StageScript.Version, _ script: StageScript) -> String {
        let message = "\(script.stem): the database is not at version \(version.version)"
        return """
            DO $strata$
            BEGIN
                IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = \
            \(SQLFragment.literal(script.schemaName)) ORDER BY number DESC LIMIT 1) \
            IS DISTINCT FROM \(SQLFragment.literal(version.fingerprint)) THEN
                    RAISE EXCEPTION USING MESSAGE = \(SQLFragment.literal(message));
                END IF;
            END
            $strata$
            """
    }
}

extension MigrationStep {
    fileprivate var isBatched: Bool {
        if case .batches = execution { true } else { false }
    }
}
