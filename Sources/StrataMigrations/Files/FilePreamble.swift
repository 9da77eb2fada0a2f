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

    /// The record the last step of every file writes to.
    static let ledger = [
        "CREATE SCHEMA IF NOT EXISTS \"strata\"",
        """
        CREATE TABLE IF NOT EXISTS "strata"."schema_version" (
            "number" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            "schema_name" text NOT NULL,
            "version" text NOT NULL,
            "fingerprint" text NOT NULL,
            "stage" text NOT NULL,
            "applied" timestamp with time zone NOT NULL DEFAULT now(),
            "applied_by" text NOT NULL DEFAULT SESSION_USER,
            "description" jsonb
        )
        """,
    ]
}
