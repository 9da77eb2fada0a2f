import StrataClient
import StrataRepository

extension StepRun {
    /// Waits, before a strong lock, for everybody but readers and writers, in a way in which they do not wait as well.
    ///
    /// Whoever waits for a strong lock stops all who come later. SHARE UPDATE EXCLUSIVE goes together with reading and
    /// writing, and with nothing else that holds a table for long: autovacuum, ANALYZE, a concurrent index build. Once the
    /// transaction has it, the strong lock waits for statements of readers and writers only, and nothing new of that kind begins.
    /// (PostgreSQL manual, 13.3.1.)
    func approachTables(_ attempt: inout Attempt) throws {
        guard step.lock == .shareRowExclusive || step.lock == .accessExclusive, !step.tables.isEmpty else { return }
        let tables = try lockableTables()
        guard !tables.isEmpty else { return }
        let patience = session.options.approachTimeout(of: step)
        try session.set(lockTimeout: patience)
        let names = tables.map { "\(SQLFragment.quoted(session.schemaName)).\(SQLFragment.quoted($0))" }
        attempt.lock = .shareUpdateExclusive
        // It has that time for each of them.
        try session.whileStep(mayTake: patience * tables.count) {
            try session.execute("LOCK TABLE \(names.joined(separator: ", ")) IN SHARE UPDATE EXCLUSIVE MODE")
        }
        attempt.lock = step.lock
    }

    /// The step's tables that are there already, and that the role may lock.
    private func lockableTables() throws -> [String] {
        var sql: SQLFragment = """
            SELECT c.relname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = \(bind: session.schemaName) AND c.relkind IN ('r', 'p') \
            AND pg_catalog.has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE') AND c.relname = ANY (
            """
        try sql.append(texts: step.tables)
        sql.append(raw: ") ORDER BY c.relname")
        return try session.rows(sql) { try $0.decode(0, as: String.self) }
    }
}
