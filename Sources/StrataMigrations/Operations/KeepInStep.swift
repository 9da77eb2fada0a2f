/// A trigger with its function.
struct KeepInStep: PlannedOperation {
    var trigger: SyncTrigger
    /// Of the function's body.
    var lines: [String]

    var kind: MigrationOperation { .keepInStep }
    var title: String {
        "keep what old and new code write to \(trigger.table) in step (\(trigger.moment.rawValue))"
    }
    var lock: MigrationStep.Lock { .shareRowExclusive }
    var tables: [String] { [trigger.table] }

    /// Not for what the backfill itself writes: it would be carried back to where it comes from, row by row.
    private static let isFollowed = "pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off'"

    func statements(_ sql: SchemaSQL) -> [String] {
        // NEW.column would be unqualified text to a search path; everything else names its schema.
        let body = lines.joined(separator: "\n").replacing("\n", with: "\n    ")
        let function = sql.table(trigger.function)
        return [
            """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
            BEGIN
                \(body)
                RETURN \(trigger.result);
            END
            $strata_sync$
            """,
            """
            CREATE TRIGGER \(sql.quoted(trigger.name)) \(trigger.timing) ON \(sql.table(trigger.table))
            FOR EACH ROW WHEN (\(Self.isFollowed)) EXECUTE FUNCTION \(function)()
            """,
            // It writes with the rights of the tables' owner, since whoever writes to one table need not have any on
            // the new one: nobody else may hang it on a table of their own.
            "REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC",
        ]
    }

    func done(_ sql: SchemaSQL) -> String? { sql.hasTrigger(trigger.name, on: trigger.table) }
    func undo(_ sql: SchemaSQL) -> [String] { [trigger.drop(sql), trigger.dropFunction(sql)] }
}
