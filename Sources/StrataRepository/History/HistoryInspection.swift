import StrataClient
import StrataModels

/// Looks at the history of one store: whether its tables and functions are there, what is described, what is wrong.
///
/// Asked in two steps, each part of a batch that is sent anyway: the second asks what the first has found.
final class HistoryInspection {
    private let schemaName: String
    private var digests: [String: String] = [:]
    private var version: Int?
    private var mayRead = false
    private var mayCall = false
    private var hasTables = false
    /// Whether the role may create and replace what the library keeps for itself.
    private(set) var mayInstall = true
    private(set) var described: HistoryDescription?
    private var reported: [HistoryFinding] = []
    private var isAsked = false

    init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    // MARK: What is there

    func addLibrary(to batch: inout PostgresBatch) throws {
        batch.add(
            PostgresStatement(Self.libraryQuery, name: "inspect the history"),
            onResult: { _ in
                self.digests = [:]
                self.version = nil
            },
            onRow: { row in
                self.hasTables = try row.decode(0)
                self.mayRead = try row.decode(1)
                self.mayInstall = try row.decode(2)
                guard let name = try row.decodeIfPresent(3, as: String.self) else { return }
                self.digests[name] = try row.decode(4)
                if try !row.decode(5, as: Bool.self), Self.called.contains(name) { self.mayCall = false }
                if name == LibraryFunction.historyVersion.name {
                    self.version = Int(try row.decode(6, as: String.self).filter(\.isNumber))
                    self.mayCall = true
                }
            })
    }

    /// What opening a store calls.
    private static let called: Set = [LibraryFunction.historyTryAdopt.name, LibraryFunction.historyFindings.name]

    /// `history_version` comes first. What is asked of the schema is asked once, and not again for each of its functions.
    private static let libraryQuery = PreparedSQL(
        """
        WITH own AS MATERIALIZED (
            SELECT n.oid AS namespace, t.description IS NOT NULL AS has_tables,
                t.description IS NOT NULL AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
                    AND pg_catalog.has_table_privilege(t.description, 'SELECT')
                    AND pg_catalog.has_table_privilege(t.store, 'SELECT') AS may_read,
                pg_catalog.has_schema_privilege(n.oid, 'CREATE')
                    AND NOT EXISTS (
                        SELECT FROM pg_catalog.pg_proc o
                        WHERE o.oid = ANY (\(SchemaObjects.text(.functions, where: "= 'strata'"))) AND NOT pg_catalog.pg_has_role(o.proowner, 'USAGE'))
                    AND NOT EXISTS (
                        SELECT FROM pg_catalog.pg_class o
                        WHERE o.oid = t.store AND NOT pg_catalog.pg_has_role(o.relowner, 'USAGE')) AS may_install
            FROM pg_catalog.pg_namespace n
            CROSS JOIN LATERAL (
                SELECT max(c.oid) FILTER (WHERE c.relname = 'history_description') AS description,
                    max(c.oid) FILTER (WHERE c.relname = 'store') AS store
                FROM pg_catalog.pg_class c
                WHERE c.relnamespace = n.oid AND c.relname IN ('history_description', 'store')) t
            WHERE n.nspname = 'strata')
        SELECT own.has_tables, own.may_read, own.may_install, p.proname::text,
            pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p.prosrc, 'UTF8')), 'hex'),
            pg_catalog.has_function_privilege(p.oid, 'EXECUTE'),
            CASE WHEN p.proname = 'history_version' THEN p.prosrc ELSE '' END
        FROM own LEFT JOIN pg_catalog.pg_proc p ON p.pronamespace = own.namespace AND p.proname LIKE 'history\\_%'
        ORDER BY p.proname <> 'history_version', p.proname
        """)

    /// Whether the functions are those of an older release, or not there at all.
    private var isOutdated: Bool { (version ?? 0) < LibraryFunctions.version }

    /// Whether a newer release has replaced the functions: they are not this one's to replace.
    var isNewer: Bool { (version ?? 0) > LibraryFunctions.version }

    /// What installs the history's own functions, if they are not this release's and the role may do so. Those of a newer
    /// release are left alone.
    var installation: [SQLFragment] {
        guard isOutdated, mayInstall else { return [] }
        return (LibrarySchema.upgrade + LibraryFunctions.creation).map { SQLFragment($0) }
    }

    // MARK: What it says

    /// - Parameter isRecorded: whether there ought to be triggers.
    func addReading(to batch: inout PostgresBatch, isRecorded: Bool) throws {
        reported = []
        described = nil
        isAsked = isRecorded
        guard hasTables, mayRead, !isOutdated else { return }
        let description: SQLFragment = """
            SELECT d."current"::text FROM \(LibrarySchema.store) AS s \
            JOIN \(HistorySchema.description) AS d ON d."store" = s."number" WHERE s."schema_name" = \(bind: schemaName)
            """
        batch.add(
            try description.statement(name: "read the history's description"),
            onRow: { row in self.described = try HistoryDescription(json: row.decode(0)) })
        guard mayCall else { return }
        let adopt: SQLFragment = "SELECT \"strata\".\"history_try_adopt\"(\(bind: schemaName))"
        batch.add(
            try adopt.statement(name: "adopt the history"),
            onRow: { row in
                if let obstacle: String = try row.decodeIfPresent(0) { self.report(.pending, nil, obstacle) }
            })
        guard isRecorded else { return }
        let findings: SQLFragment = "SELECT * FROM \"strata\".\"history_findings\"(\(bind: schemaName))"
        batch.add(
            try findings.statement(name: "verify the history"),
            onRow: { row in
                self.reported.append(
                    HistoryFinding(
                        schemaName: self.schemaName, table: try row.decodeIfPresent(0), name: try row.decode(1),
                        reported: try row.decode(2)))
            })
    }

    /// Everything that keeps changes from being recorded.
    var findings: [HistoryFinding] {
        guard isAsked else { return [] }
        if !hasTables || isOutdated { return [finding(.outdated, "the tables or functions")] }
        if !mayRead { return [finding(.unreadable, "the tables")] }
        if !mayCall { return [finding(.unreadable, "the functions")] }
        return reported + changedFunctions
    }

    /// The library's own functions whose text is not the one that this release has written.
    private var changedFunctions: [HistoryFinding] {
        guard version == LibraryFunctions.version else { return [] }
        return LibraryFunctions.all.compactMap { function in
            guard let digest = digests[function.name] else { return finding(.missing, "strata.\(function.name)") }
            return digest == function.digest ? nil : finding(.stale, "strata.\(function.name)")
        }
    }

    private func report(_ problem: HistoryFinding.Problem, _ table: String?, _ name: String) {
        reported.append(HistoryFinding(schemaName: schemaName, table: table, name: name, problem: problem))
    }

    private func finding(_ problem: HistoryFinding.Problem, _ name: String) -> HistoryFinding {
        HistoryFinding(schemaName: schemaName, table: nil, name: name, problem: problem)
    }
}
