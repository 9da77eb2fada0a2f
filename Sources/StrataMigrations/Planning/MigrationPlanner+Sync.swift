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
        dropTriggers()
    }

    private func kinds(of sync: TableSync) -> [String] {
        [("before", sync.before), ("after", sync.after), ("deleted", sync.deleted)].filter { !$1.isEmpty }.map(\.0)
    }

    private func removal(of kind: String, on name: String) -> (trigger: String, function: String) {
        (
            "DROP TRIGGER \(quoted(Self.trigger(kind))) ON \(table(name))",
            "DROP FUNCTION \(table(function(kind, on: name)))()"
        )
    }

    private static func trigger(_ kind: String) -> String { Naming.joined("0_strata_sync", kind) }

    private func function(_ kind: String, on name: String) -> String { Naming.joined("strata_sync", stem, name, kind) }

    /// All triggers at once: with some of them gone, the others would carry old values over new ones. Superclasses are
    /// locked first, as saves do.
    private mutating func dropTriggers() {
        guard !syncs.isEmpty else { return }
        let order = new.database.creationOrder.tables.map { names.table($0.name) }
        let tables = order.filter { syncs[$0] != nil } + syncs.keys.filter { !order.contains($0) }.sorted()
        let removals = tables.flatMap { name in
            (syncs[name].map(kinds(of:)) ?? []).map { removal(of: $0, on: name) }
        }
        // Before the switch: functions name columns that are renamed by it.
        draft.add(
            .dropSync, "stop keeping \(tables.joined(separator: ", ")) in step",
            removals.map(\.trigger) + removals.map(\.function), lock: .accessExclusive, on: tables)
    }

    /// Not for what the backfill itself writes: it would be carried back to where it comes from, row by row.
    private static let isFollowed = "pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off'"

    private mutating func addTrigger(
        _ kind: String, _ lines: [String], returns: String, timing: String, on name: String
    ) {
        // Triggers fire in the order of their names, those of foreign keys ("RI_…") among them: what a key refers to must
        // be there before it is looked for.
        let (trigger, function) = (Self.trigger(kind), function(kind, on: name))
        let removal = removal(of: kind, on: name)
        // NEW.column would be unqualified text to a search path; everything else names its schema.
        let body = lines.joined(separator: "\n").replacing("\n", with: "\n    ")
        draft.add(
            .sync, "keep what old and new code write to \(name) in step (\(kind))",
            [
                """
                CREATE OR REPLACE FUNCTION \(table(function))() RETURNS trigger
                LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
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
                // It writes with the rights of the tables' owner, since whoever writes to one table need not have any on
                // the new one: nobody else may hang it on a table of their own.
                "REVOKE ALL ON FUNCTION \(table(function))() FROM PUBLIC",
            ], lock: .shareRowExclusive, on: [name],
            done: """
                SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass(\(SQLFragment.literal(table(name)))) \
                AND tgname = \(SQLFragment.literal(trigger)))
                """, undo: [removal.trigger, removal.function])
    }
}
