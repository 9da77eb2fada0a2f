import StrataRepository

extension MigrationPlanner {
    /// One function and its triggers for each table whose writes must be followed while both codes run.
    mutating func planSyncs() {
        for (name, sync) in syncs.sorted(by: { $0.key < $1.key }) {
            if !sync.before.isEmpty {
                addTrigger("before", sync.before, returns: "NEW", timing: "BEFORE INSERT OR UPDATE", on: name)
            }
            if !sync.after.isEmpty {
                addTrigger("after", sync.after, returns: "NULL", timing: "AFTER INSERT OR UPDATE", on: name)
            }
            if !sync.deleted.isEmpty {
                addTrigger("deleted", sync.deleted, returns: "NULL", timing: "AFTER DELETE", on: name)
            }
        }
    }

    /// Not for what the backfill itself writes: it would be carried back to where it comes from, row by row.
    private static let isFollowed = "pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off'"

    private mutating func addTrigger(
        _ kind: String, _ lines: [String], returns: String, timing: String, on name: String
    ) {
        let trigger = Naming.joined("strata_sync", kind)
        let function = Naming.joined("strata_sync", stem, name, kind)
        let removal = ["DROP TRIGGER \(quoted(trigger)) ON \(table(name))", "DROP FUNCTION \(table(function))()"]
        // NEW.column would be unqualified text to a search path; everything else names its schema.
        let body = lines.joined(separator: "\n").replacing("\n", with: "\n    ")
        draft.add(
            .sync, "keep what old and new code write to \(name) in step (\(kind))",
            [
                """
                CREATE OR REPLACE FUNCTION \(table(function))() RETURNS trigger
                LANGUAGE plpgsql SET search_path = pg_catalog AS $strata_sync$
                BEGIN
                    \(body)
                    RETURN \(returns);
                END
                $strata_sync$
                """,
                """
                CREATE TRIGGER \(quoted(trigger)) \(timing) ON \(table(name))
                FOR EACH ROW WHEN (\(Self.isFollowed)) EXECUTE FUNCTION \(table(function))()
                """,
            ], lock: .shareRowExclusive, on: [name],
            done: """
                SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass(\(SQLFragment.literal(table(name)))) \
                AND tgname = \(SQLFragment.literal(trigger)))
                """, undo: removal)
        // Before the switch: functions name columns that are renamed by it.
        draft.add(
            .dropSync, "stop keeping \(name) in step (\(kind))",
            removal, lock: .accessExclusive, on: [name])
    }
}
