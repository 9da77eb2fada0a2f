import StrataTestSupport
import Testing

extension TestDatabase {
    /// Between two steps, every table can be written to, and the history's triggers fit the tables.
    func expectWritable() async throws {
        let findings = try await texts(
            "SELECT concat_ws(' ', relation, name, problem) FROM strata.history_findings('public')")
        #expect(findings == [], "between two steps")
        let columns = try await texts(
            """
            SELECT format('UPDATE %I.%I SET %I = %I', n.nspname, c.relname, a.attname, a.attname)
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            WHERE n.nspname = 'public' AND c.relkind = 'r' AND a.attidentity = ''
            """)
        for statement in columns {
            do { try await execute(statement) } catch { Issue.record("\(statement): \(error)") }
        }
    }
}
